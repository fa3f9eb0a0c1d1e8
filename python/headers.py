"""Reads the public headers of Fender: enumerations, structs and functions, with their comments.

The headers are the only list of what exists. bindings.py writes C from what this module reads.
"""
import os
import re
from dataclasses import dataclass, field

# A header that a build without fender_io lacks does not exist here: the package needs all of them.
SCALARS = {"double": "DOUBLE", "int": "INT", "int32_t": "INT", "int64_t": "INT64", "uint16_t": "UINT16",
           "uint32_t": "UINT32", "uint64_t": "UINT64", "size_t": "SIZE", "bool": "BOOL"}
NUMBERS = ("double", "fender_vec2", "fender_vec3", "fender_mat3")
UNIT_ATOM = r"(?:1|kg|m|s|N|J|W|Pa|rad|A|K|Hz)(?:\^-?[0-9]+)?"
UNIT = re.compile(rf"({UNIT_ATOM}(?:[ /*]{UNIT_ATOM})*)(?=[,;.:]|$| (?:\(|lost|in contacts|in S|of work|at the|stored|above|along|about|supplied|and ))")


def units_of(doc):
    """Units at the beginning of a comment: "N, N m; on b" has two."""
    found = []
    while True:
        match = UNIT.match(doc)
        if not match:
            return found
        found.append(match.group(1).replace(" ", "*"))
        rest = re.match(r", | and ", doc[match.end():])
        if not rest:
            return found
        doc = doc[match.end() + rest.end():]


@dataclass
class Member:
    """A member of a struct, or a parameter of a function."""
    type: str  # without const, without stars
    name: str
    stars: int = 0
    constant: bool = False
    array: bool = False
    doc: str = ""
    place: int = 0  # in a declaration of several names

    @property
    def unit(self):
        """SI unit of a number, or "". W is the world frame where a vector is spoken of."""
        units = [unit for unit in units_of(self.doc) if unit != "W" or self.type == "double"]
        return "" if not units or self.type not in NUMBERS else units[min(self.place, len(units) - 1)]


@dataclass
class Struct:
    name: str
    doc: str
    members: list = field(default_factory=list)


@dataclass
class Enum:
    name: str
    doc: str
    members: list = field(default_factory=list)  # (constant, doc)


@dataclass
class Function:
    name: str
    doc: str
    returns: Member
    parameters: list
    prototype: str


@dataclass
class Headers:
    structs: dict = field(default_factory=dict)
    enums: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    opaque: dict = field(default_factory=dict)  # name: doc


def clean(comment):
    """The words of a comment, without its stars."""
    text = re.sub(r"^/\*+|\*+/$", "", comment.strip())
    return " ".join(re.sub(r"^\s*\*", "", line).strip() for line in text.splitlines()).strip()


def pieces(text):
    """Splits text into (kind, text): comments, strings and single characters of code."""
    for match in re.finditer(r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|//[^\n]*|.", text, re.S):
        piece = match.group(0)
        yield ("comment" if piece.startswith("/*") or piece.startswith("//") else "code"), piece


def statements(text, separator=";"):
    """Yields (doc, code, inner): each declaration with the comments before and after it; `inner` keeps its comments.

    A comment in front goes to all declarations that follow without a blank line between."""
    before, code, inner, depth, done = "", "", "", 0, None
    gap = 0
    for kind, piece in pieces(text):
        if kind == "comment":
            if done is not None and gap == 0 or code.strip() == "" and done is not None and "\n" not in code:
                done[1] = (done[1] + " " + clean(piece)).strip()  # on the line where a declaration ended
            elif code.strip():
                inner += piece
            else:
                before = clean(piece)
            continue
        if piece == "\n" and not code.strip():
            gap += 1
            if done is not None:
                yield tuple(done)
                done = None
            if gap > 1:
                before = ""
            continue
        if piece.strip():
            gap = 0
            if done is not None and not code.strip():
                yield tuple(done)
                done = None
        code += piece
        inner += piece
        depth += (piece in "{(") - (piece in "})") if len(piece) == 1 else 0
        ends = piece == separator and depth == 0
        if piece == "}" and depth == 0 and re.match(r"\s*static inline", code):
            ends = True
        if ends:
            done = [before, "", code.strip().rstrip(separator).strip(), inner.strip().rstrip(separator).strip()]
            code = inner = ""
            gap = 0
    if done is not None:
        yield tuple(done)
    elif code.strip() and separator == ",":
        yield (before, "", code.strip(), inner.strip())


def declarator(text, doc):
    """Member of one plain declaration; None for a pointer to a function."""
    if "(" in text:
        return None
    text = re.sub(r"\bstruct\s+", "", text)
    array = "[" in text
    text = re.sub(r"\[[^\]]*\]", "", text)
    stars = text.count("*")
    words = text.replace("*", " ").split()
    constant = "const" in words
    words = [word for word in words if word != "const"]
    if words == ["void"]:
        return Member("void", "")
    if len(words) == 3 and words[0] in ("unsigned", "long"):
        words = [" ".join(words[:2]), words[2]]
    if len(words) == 1:
        words.append("")
    return Member(words[0], words[1], stars, constant, array, doc) if len(words) == 2 else None


def members_of(body):
    """Members of the text between the braces of a struct. Those of an anonymous union are members of the struct."""
    found = []
    for before, after, code, inner in statements(body):
        doc = after or before
        union = re.match(r"union\s*\{(.*)\}\s*$", inner, re.S)
        if union:
            found += members_of(union.group(1))
            continue
        if "(" in code:
            continue
        parts = code.split(",")
        first = declarator(parts[0], doc)
        if first is None:
            continue
        found.append(first)
        base = re.sub(r"\*?\s*[A-Za-z_0-9]+(\[[^\]]*\])*\s*$", "", parts[0])
        for place, part in enumerate(parts[1:], 1):
            member = declarator(base + " " + part, doc)
            if member is not None:
                member.place = place
                found.append(member)
    return found


def enum_members(body, text):
    listed = re.search(r"\b([A-Z_]+_LIST)\(", body)
    if listed:
        rows = re.findall(r"X\((\d+), ([A-Z_]+), \"([^\"]*)\"\)", text)
        prefix = listed.group(1).replace("LIST", "")
        return [(prefix + name, doc) for _, name, doc in rows]
    found = []
    comments = {}
    code = ""
    for kind, piece in pieces(body):
        if kind == "comment":
            names = re.findall(r"\b(FENDER_[A-Z0-9_]+)\b(?!\s*\()", code)
            if names:
                comments[names[-1]] = (comments.get(names[-1], "") + " " + clean(piece)).strip()
        else:
            code += piece
    for part in code.split(","):
        name = part.split("=")[0].strip()
        if name and not name.endswith("_COUNT"):
            found.append((name, comments.get(name, "")))
    return found


def read(folder):
    result = Headers()
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".h"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            text = stream.read()
        plain = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
        for before, after, code, inner in statements(plain):
            doc = f"{before} {after}".strip()
            if code.startswith("static inline"):
                continue
            match = re.match(r"typedef struct (\w+) (\w+)$", code)
            if match:
                result.opaque[match.group(2)] = doc
                continue
            match = re.match(r"typedef (struct|enum) \w+\s*\{(.*)\}\s*(\w+)$", inner, re.S)
            if match and match.group(1) == "struct":
                result.structs[match.group(3)] = Struct(match.group(3), doc, members_of(match.group(2)))
                continue
            if match:
                result.enums[match.group(3)] = Enum(match.group(3), doc, enum_members(match.group(2), text))
                continue
            if code.startswith("FENDER_API"):
                flat = " ".join(re.sub(r"/\*.*?\*/", "", code, flags=re.S).split())[len("FENDER_API "):]
                match = re.match(r"(.*?)(fender_\w+)\((.*)\)$", flat)
                if not match:
                    continue
                returns = declarator(match.group(1) + " result", "")
                parts, depth, part = [], 0, ""
                for character in match.group(3):
                    depth += (character == "(") - (character == ")")
                    if character == "," and depth == 0:
                        parts.append(part)
                        part = ""
                    else:
                        part += character
                parts.append(part)
                parameters = [declarator(part, "") for part in parts if part.strip() not in ("", "void")]
                result.functions[match.group(2)] = Function(match.group(2), doc, returns, parameters, flat)
    return result
