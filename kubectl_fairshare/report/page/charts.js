// Curves of a page, drawn by uPlot: drag to zoom, double-click to see all; all pictures with a time axis zoom together.
(function () {
  "use strict";
  const data = document.getElementById("charts");
  if (!data || typeof uPlot === "undefined") return;
  const charts = JSON.parse(data.textContent);
  const colours = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#888888", "#994455",
    "#997700", "#004488", "#bb5566", "#44bb99",
  ];
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--dim").trim() || "#666";
  const line = style.getPropertyValue("--line").trim() || "#ddd";
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const drawn = [];
  let zooming = false;
  function together(picture, low, high) {
    if (zooming) return;
    zooming = true;
    drawn.forEach((other) => { if (other !== picture) other.setScale("x", { min: low, max: high }); });
    zooming = false;
  }
  function options(chart, width) {
    const points = chart.kind === "points";
    const series = chart.names.map((name, number) => ({
      label: name,
      stroke: colours[number % colours.length],
      fill: points ? colours[number % colours.length] : undefined,
      width: 1.5,
      dash: number >= colours.length ? [6, 4] : undefined,
      spanGaps: true,
      paths: points ? () => null : undefined,
      points: { show: points, size: 9 },
    }));
    return {
      width: width,
      height: 260,
      scales: { x: { time: !points } },
      axes: [{ ...axis, label: chart.xTitle }, { ...axis, size: 60, label: chart.unit || undefined }],
      series: [{ label: points ? chart.xTitle : "time" }, ...series],
      cursor: { sync: points ? undefined : { key: "time" } },
      hooks: {
        setScale: [(picture, key) => {
          if (key === "x" && !points) together(picture, picture.scales.x.min, picture.scales.x.max);
        }],
      },
    };
  }
  document.querySelectorAll("[data-chart]").forEach((place) => {
    const chart = charts[Number(place.dataset.chart)];
    if (!chart || !chart.x.length) {
      place.textContent = "no data";
      return;
    }
    const picture = new uPlot(options(chart, place.clientWidth || 900), [chart.x, ...chart.y], place);
    if (chart.kind !== "points") drawn.push(picture);
    place.ownPicture = picture;
  });
  let due = 0;
  window.addEventListener("resize", () => {
    clearTimeout(due);
    due = setTimeout(() => document.querySelectorAll("[data-chart]").forEach((place) => {
      if (place.ownPicture) place.ownPicture.setSize({ width: place.clientWidth, height: 260 });
    }), 100);
  });
})();
