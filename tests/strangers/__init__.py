"""Repositories that strangers wrote, in the layouts in which they write them.

``python -m tests.strangers FOLDER…`` runs every command over any repository on disk and prints what came of it. The
tests do the same over small repositories of our own making, one for each layout.
"""
