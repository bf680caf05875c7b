"""The files that the checks look at."""

import os
import pathlib

# Folders at the top that hold no sources: build folders start with "build" but
# for build_tools.
_SKIPPED_AT_TOP = {".git", ".cache", ".venv"}


def _is_skipped_at_top(name):
    return name in _SKIPPED_AT_TOP or (
        name.startswith("build") and name != "build_tools")


def source_files(root):
    """Yields the path of every source file below `root`, relative to it, sorted."""
    root = pathlib.Path(root)
    for folder, subfolders, names in os.walk(root):
        folder = pathlib.Path(folder)
        subfolders[:] = sorted(
            name for name in subfolders
            if name != "__pycache__"
            and not (folder == root and _is_skipped_at_top(name)))
        for name in sorted(names):
            yield (folder / name).relative_to(root)
