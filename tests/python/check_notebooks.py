"""Runs the code of docs/notebooks, cell after cell, without Jupyter."""
import glob
import json
import os
import sys
import time
import traceback
import warnings

import fender

source = os.environ["FENDER_SOURCE_DIR"]
if not os.path.exists("samples"):
    os.symlink(os.path.join(source, "samples"), "samples")
os.environ.setdefault("MPLBACKEND", "agg")
warnings.simplefilter("ignore", fender.Warning)
failed, count = 0, 0
for path in sorted(glob.glob(os.path.join(source, "docs", "notebooks", "*.ipynb"))):
    with open(path, encoding="utf-8") as stream:
        notebook = json.load(stream)
    names = {}
    begin = time.monotonic()
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], f"{path}: cell {number} has outputs: clear them"
        try:
            exec(compile("".join(cell["source"]), f"{os.path.basename(path)}, cell {number}", "exec"), names)
            count += 1
        except Exception:
            traceback.print_exc()
            failed += 1
            break
    print(f"{os.path.basename(path)}: {time.monotonic() - begin:.1f} s")
print(f"{count} cells, {failed} notebooks failed")
sys.exit(1 if failed or not count else 0)
