"""Builds a wheel of the package with CMake: the backend that pyproject.toml names (PEP 517). Needs the Python of the
caller, CMake, a C compiler and the libraries of scripts/install_dependencies; nothing from an index.

usage: build_backend.py FOLDER     writes the wheel there; pip calls build_wheel
"""
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def version():
    """The version of the library, which is written once, in its header."""
    with open(os.path.join(ROOT, "include", "fender", "base.h"), encoding="utf-8") as stream:
        numbers = dict(re.findall(r"^#define FENDER_VERSION_(MAJOR|MINOR|PATCH) (\d+)", stream.read(), re.M))
    return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))


def metadata():
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as stream:
        project = dict(re.findall(r'^([a-z-]+) = (?:\{text = )?"?(.*?)"?\}?$', stream.read(), re.M))
    needs = re.findall(r'"(.*?)"', project["dependencies"])
    lines = ["Metadata-Version: 2.1", "Name: fender", f"Version: {version()}", f"Summary: {project['description']}",
             f"License: {project['license']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {need}" for need in needs]
    lines += ["Provides-Extra: frames", "Requires-Dist: pandas; extra == 'frames'"]
    return "\n".join(lines) + "\n"


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    info = f"fender-{version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, info), exist_ok=True)
    with open(os.path.join(metadata_directory, info, "METADATA"), "w", encoding="utf-8") as stream:
        stream.write(metadata())
    return info


def _build(folder):
    """Files of the package in FOLDER/python/fender."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DFENDER_PYTHON=ON", "-DFENDER_TESTS=OFF", "-DFENDER_INSTALL=OFF"]
    viewer = os.environ.get("FENDER_VIEWER_HTML")  # a page that is built already: no node is needed
    if viewer:
        options.append(f"-DFENDER_VIEWER_HTML={os.path.abspath(viewer)}")
    if shutil.which("ninja"):
        options += ["-G", "Ninja"]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], check=True, stdout=sys.stderr)
    jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", folder, "--parallel", jobs, "--target", "fender_python_files"], check=True,
                   stdout=sys.stderr)
    return os.path.join(folder, "python", "fender")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None, built=None):
    """Writes the wheel; returns its name. built: a folder with the package, which is built otherwise."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"cp39-abi3-{platform}"
    name = f"fender-{version()}-{tag}.whl"
    info = f"fender-{version()}.dist-info"
    work = None if built else tempfile.mkdtemp(prefix="fender_wheel_")
    records = []

    def add(archive, path, data):
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))  # the same bytes for the same files
        entry.external_attr = 0o644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        records.append(f"{path},sha256={digest},{len(data)}")

    try:
        package = built or _build(work)
        with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as archive:
            for file in sorted(os.listdir(package)):
                if file.endswith((".py", ".pyi", ".so", "py.typed")):
                    with open(os.path.join(package, file), "rb") as stream:
                        add(archive, f"fender/{file}", stream.read())
            with open(os.path.join(ROOT, "LICENSE"), "rb") as stream:
                add(archive, f"{info}/LICENSE", stream.read())
            add(archive, f"{info}/METADATA", metadata().encode())
            add(archive, f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: fender\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
            records.append(f"{info}/RECORD,,")
            archive.writestr(f"{info}/RECORD", "\n".join(records) + "\n")
    finally:
        if work:
            shutil.rmtree(work, ignore_errors=True)
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
