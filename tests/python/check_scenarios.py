"""Every sample scenario, run from Python, has the hash that the program prints; also where its channels are sampled."""
import glob
import os
import re
import subprocess
import sys
import warnings

import fender

SOURCE, PROGRAM = os.environ["FENDER_SOURCE_DIR"], os.environ["FENDER"]
warnings.simplefilter("ignore", fender.Warning)


def printed(*arguments):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def printed_hash(path, *options):
    text = printed("run", path, "--out", "program.run", *options)
    found = re.search(r"^ hash  ([0-9a-f]{16})", text, re.M)
    assert found, text
    return found.group(1)


def main(names):
    failed = 0
    for path in names:
        expected = printed_hash(path)
        run = fender.run(path)
        same = run.hash == expected
        if os.path.basename(path) in ("docking.yaml", "separation.yaml"):  # actions and links, in little time
            same = same and fender.run(path, channels="time").hash == expected
        print(f"{'ok  ' if same else 'FAIL'} {os.path.basename(path)} {expected} {run.hash}")
        failed += not same
    return failed


if __name__ == "__main__":
    folder = os.path.join(SOURCE, "samples", "scenarios")
    names = [os.path.join(folder, name) for name in sys.argv[1:]] or sorted(glob.glob(os.path.join(folder, "*.yaml")))
    sys.exit(1 if main(names) else 0)
