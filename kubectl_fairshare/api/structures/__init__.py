"""Structures that the APIs share: metadata, selectors, pods; and what a structure is."""
