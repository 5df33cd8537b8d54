"""Tables for people, one JSON line for programs, progress on stderr."""

import json
import sys


def progress(text):
    print(f"  {text}", file=sys.stderr, flush=True)


def table(title, columns, rows):
    """`rows` hold text; the first column is left-aligned, the others right."""
    cells = [columns] + rows
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = ["", title]
    for row in cells:
        first, *rest = row
        lines.append("  " + "  ".join([first.ljust(widths[0])] + [c.rjust(w) for c, w in zip(rest, widths[1:])]))
    return "\n".join(lines)


def rounded(figures):
    return {name: round(value, 3) for name, value in figures.items()}


def write(folder, bench, figures, details):
    """Returns the line that ends a run; the same object lies in NAME.json, all rounds in NAME-rounds.json."""
    folder.mkdir(parents=True, exist_ok=True)
    line = json.dumps({"bench": bench, "figures": rounded(figures)})
    (folder / f"{bench}.json").write_text(line + "\n")
    (folder / f"{bench}-rounds.json").write_text(json.dumps(details, indent=1) + "\n")
    return line
