"""Makes a virtual environment that sees the packages of the system and the package `fender` in the same folder.

usage: make_environment.py FOLDER     needs no network, and no pip in the environment
"""
import glob
import os
import sys
import venv

folder = os.path.abspath(sys.argv[1])
venv.EnvBuilder(system_site_packages=True, with_pip=False, symlinks=True).create(folder)
site = glob.glob(os.path.join(folder, "lib", "python*", "site-packages"))[0]
with open(os.path.join(site, "fender.pth"), "w", encoding="utf-8") as stream:
    stream.write(folder + "\n")
