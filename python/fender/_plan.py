"""Which function of the headers is which method or property. Without numpy: the script that writes stubs reads it, too."""
from __future__ import annotations

import keyword
from typing import Any, Dict, List, NamedTuple, Tuple

# Classes of the objects of a world, and the word by which functions of the headers name them.
WORDS = {"Body": "body", "Shape": "shape", "Material": "material", "ContactType": "contact_type", "Rule": "rule",
         "Load": "load", "Link": "link", "Point": "point", "Sensor": "sensor"}
DEFAULTS = {"fender_clock": "COMMITTED"}
NONE = {"except_"}  # parameters that need not be given: the null id


class Place(NamedTuple):
    """The attribute `name` of the class `owner` is a function; `holder`: "world" (self is the world), "object" (self has a
    world and an id), "first" (self is the first argument); `simple`: a property."""
    owner: str
    name: str
    function: str
    holder: str
    simple: bool


def parts(text: str) -> List[Tuple[str, str]]:
    return [tuple(word.split(":", 1)) for word in text.split()]  # type: ignore[misc]


def _place(owner: str, name: str, function: str, holder: str, simple: bool) -> Place:
    if simple:
        name = name[4:] if name.startswith("get_") else name
        name = "definition" if name == "def" else name
    return Place(owner, name + "_" if keyword.iskeyword(name) else name, function, holder, simple)


def plan(functions: Dict[str, Any]) -> List[Place]:
    """Places of all functions that belong to a class."""
    found = []
    words = sorted(WORDS.items(), key=lambda item: -len(item[1]))
    for name, (_, _, inputs_text, _, constant) in functions.items():
        inputs = parts(inputs_text)
        if not inputs:
            continue
        if inputs[0][1] == "fender_geometry":
            if name.startswith("geometry_") and not name.startswith("geometry_pair"):
                found.append(_place("Geometry", name[len("geometry_"):], name, "first", len(inputs) == 1 and constant))
            continue
        if inputs[0][1] != "fender_world":
            continue
        for owner, word in words:
            if not name.startswith(word + "_"):
                continue
            short = name[len(word) + 1:]
            if short == "create" and len(inputs) > 1 and inputs[1][1] == "fender_body_id" and word != "body":
                found.append(_place("Body", f"create_{word}", name, "object", False))
            elif short == "find" and len(inputs) == 3:
                found.append(_place("Body", f"find_{word}", name, "object", False))
            elif short in ("create", "find"):
                found.append(_place("World", f"{short}_{word}", name, "world", False))
            elif short in ("count", "at"):
                pass  # lists of the world
            elif len(inputs) > 1 and inputs[1][1] == f"fender_{word}_id":
                found.append(_place(owner, short, name, "object", len(inputs) == 2 and constant))
            else:
                found.append(_place("World", name, name, "world", len(inputs) == 1 and constant))
            break
        else:
            short = name[len("world_"):] if name.startswith("world_") else name
            found.append(_place("World", short, name, "world", len(inputs) == 1 and constant))
    return found


def lists(functions: Dict[str, Any]) -> List[Tuple[str, str, str]]:
    """Lists of a world: (attribute, class, word)."""
    plural = {"body": "bodies"}
    return [(plural.get(word, word + "s"), owner, word) for owner, word in WORDS.items()
            if f"{word}_count" in functions and f"{word}_at" in functions]


def data_of(functions: Dict[str, Any], structs: Dict[str, Any], word: str) -> Tuple[str, str]:
    """The function that reads an object's data, and the struct that it gives; ("", "") without."""
    for name in (f"{word}_get", f"{word}_read"):
        outputs = functions[name][3] if name in functions else ""
        if outputs.endswith("_data") and outputs in structs:
            return name, outputs
    return "", ""


def flat_members(structs: Dict[str, Any], kind: str) -> List[Tuple[str, Dict[str, Any], str]]:
    """Members of a definition that may be given by name: (name, member, struct within the definition or "")."""
    own = structs[kind]["members"]
    found = [(m["name"], m, "") for m in own if m["kind"] != "hidden" and m["name"] != "size"]
    names = {m["name"] for m in own}
    inner: Dict[str, List[Tuple[Dict[str, Any], str]]] = {}
    for member in own:
        if member["kind"] == "struct" and not structs[member["of"]]["numbers"]:
            for m in structs[member["of"]]["members"]:
                inner.setdefault(m["name"], []).append((m, member["name"]))
    found += [(name, places[0][0], places[0][1]) for name, places in inner.items()
              if len(places) == 1 and name not in names and places[0][0]["kind"] != "hidden"]
    return found
