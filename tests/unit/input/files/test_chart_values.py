"""Which values templates read: a name too many costs a doubt, one too few a wrong answer."""

import pytest

from kubectl_fairshare.input.files.chart_values import GIVEN_TO_ALL, keys_read

KNOWN = {
    "a: {{ .Values.quota }}": {"quota"},
    "a: {{ $.Values.quota.gpu | quote }}{{- if .Values.on }}b{{ end }}": {"quota", "on"},
    '{{ include "name" . }}{{ template "labels" $ }}': set(),
    "{{ with .Values.queue }}{{ toYaml . | nindent 2 }}{{ end }}": {"queue"},
    "{{ range $name, $queue := .Values.queues }}{{ $queue.quota }}{{ . }}{{ end }}": {"queues"},
    "{{/* toYaml .Values {{ with }} */}}{{ .Release.Name }}": set(),
    '{{ define "quota" }}{{ .Values.quota }}{{ end }}': {"quota"},
    "{{ (index .Values.queues 0).name }}": {"queues"},
    "nothing": set(),
}
ANY = (
    "{{ toYaml .Values }}",
    "{{ .Values | toJson }}",
    '{{ index .Values "quota" }}',
    "{{ with .Values }}{{ .quota }}{{ end }}",
    "{{ tpl .Values.text . }}",
    "{{ toYaml . }}",
    "{{ toYaml $ }}",
    "{{ with .Values.a }}{{ toYaml $ }}{{ end }}",
    "{{ with .Values.a }}{{ else }}{{ toYaml . }}{{ end }}",
    "{{ with .Values.a }}{{ end }}{{ toYaml . }}",
    "{{ if .Values.a }}{{ toYaml . }}{{ end }}",
    "{{ $all := . }}{{ $all.Values.quota }}",
    '{{ get . "Values" }}',
    '{{ define "all" }}{{ toYaml . }}{{ end }}{{ with .Values.a }}b{{ end }}',
    '{{ "}}" }}{{ .Values.a }}',
    "{{ printf `}}` .Values.a }}",
    "{{ .Values.größe }}",
    "{{ .Values.ö }}",
    "{{/* {{ with .a }} */}}{{ toYaml . }}",
)


@pytest.mark.parametrize(("text", "names"), KNOWN.items())
def test_a_template_reads_the_values_that_it_names(text: str, names: set[str]) -> None:
    assert keys_read([b"", text.encode()]) == frozenset(names) | GIVEN_TO_ALL


@pytest.mark.parametrize("text", ANY)
def test_a_template_that_has_all_values_in_hand_may_read_any(text: str) -> None:
    assert keys_read([text.encode(), b"{{ .Values.quota }}"]) is None
