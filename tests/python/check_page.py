"""Runs the Python of docs/manual/python.md, block after block."""
import os
import re
import sys

source = os.environ["FENDER_SOURCE_DIR"]
page = os.path.join(source, "docs", "manual", "python.md")
with open(page, encoding="utf-8") as stream:
    text = stream.read()
if not os.path.exists("samples"):
    os.symlink(os.path.join(source, "samples"), "samples")
names, count = {}, 0
for match in re.finditer(r"^```python: tests/python/page runs it\n(.*?)^```$", text, re.M | re.S):
    line = text[:match.start(1)].count("\n")
    exec(compile("\n" * line + match.group(1), page, "exec"), names)
    count += 1
print(f"{count} blocks")
sys.exit(0 if count > 0 else 1)
