"""Screens: answers as text for a terminal of a given width, with or without colour."""
