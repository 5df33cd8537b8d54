"""Entries as people write them (dataplane/tables/text.h) to the values of P4Runtime, by the widths of a p4info."""

import ipaddress
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def names(definitions, macro):
    """The names of a .def file's lines MACRO(name, ...), in their order: their place is their number."""
    return re.findall(rf"^{macro}\((\w+)", (ROOT / definitions).read_text(encoding="utf-8"), re.MULTILINE)


CAUSES = names("dataplane/graph/punt_causes.def", "CAUSE")
DROP_REASONS = names("dataplane/wire/drop_reasons.def", "DROP")


def value(text, bits):
    """p2, 02:00:00:00:00:01, 10.0.0.1, fd00::1, no_route, 7 or 0x1f as an integer."""
    if text in CAUSES:
        return CAUSES.index(text)
    if re.fullmatch(r"p\d+", text):
        return int(text[1:])
    if bits == 48 and ":" in text:
        return int(text.replace(":", ""), 16)
    if "." in text or ":" in text:
        return int(ipaddress.ip_address(text))
    return int(text, 0)


def match(text, kind, bits):
    """What Program.entry takes for a field of this kind; None where the field matches anything."""
    if kind == "exact":
        return value(text, bits)
    everything = (1 << bits) - 1
    if kind == "lpm":
        base, _, length = text.partition("/")
        length = int(length or bits)
        return (value(base, bits), length) if length else None
    if text == "*":
        return None
    base, _, mask = text.partition("&")
    return value(base, bits), value(mask, bits) if mask else everything


def entity(program, entry):
    """The P4Runtime entity of an entry {table, match, priority, action, params}, its values all text."""
    table = program.tables[entry["table"]]
    fields = {}
    for field in table.match_fields:
        kind = program.kind(field)
        wanted = match(entry["match"][field.name], kind, field.bitwidth) if field.name in entry["match"] else None
        if wanted is not None:
            fields[field.name] = wanted
    action = program.actions[f"{entry['table']}.{entry['action']}"]
    params = [value(entry["params"][param.name], param.bitwidth) for param in action.params]
    # P4Runtime 1.4, 9.1: a priority only where a key is ternary, range or optional.
    is_ternary = any(program.kind(field) == "ternary" for field in table.match_fields)
    priority = {"priority": entry["priority"]} if is_ternary else {}
    return program.entry(entry["table"], fields, entry["action"], params, **priority)
