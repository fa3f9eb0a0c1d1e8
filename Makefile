# The short way to everything; the work is done by CMake and the scripts. `make help` lists the targets.
.POSIX:
.PHONY: help run build python test test-all coverage bench work-precision docs deb deb-test format clean

help:
	@echo 'make run      install what is missing, build, run the sample scenarios, show their results'
	@echo 'make test     install what is missing, run the quick tests, in two minutes'
	@echo 'make test-all all tests; the quick ones by clang and under sanitizers, too; an hour'
	@echo 'make coverage lines and branches that the quick tests reach, by folder'
	@echo 'make build    build/bin/fender and build/lib (release)'
	@echo 'make python   the Python package, with an interpreter that has it: build/python/bin/python'
	@echo 'make bench    install what is missing, build and run the benchmarks'
	@echo 'make work-precision   cost against error of every integrator, as table and picture'
	@echo 'make docs     all pages and the C reference as one site, build/site/index.html'
	@echo 'make deb      install what is missing, build the Debian packages into build/deb, run lintian on them'
	@echo 'make deb-test make deb, then unpack the packages and use them'
	@echo 'make format   format all C files'
	@echo 'make clean    remove build/'

run:
	@scripts/install_dependencies run
	@scripts/build release -DFENDER_TESTS=OFF
	@scripts/run_samples

build:
	@scripts/install_dependencies run
	@scripts/build release -DFENDER_TESTS=OFF

test:
	@scripts/install_dependencies test
	@scripts/run_tests quick

python:
	@scripts/install_dependencies python
	@scripts/build release -DFENDER_TESTS=OFF -DFENDER_PYTHON=ON
	@echo "import fender: build/python/bin/python"

# TESTED=quick is for continuous integration, after `make test`: scripts/run_tests says what it leaves out.
TESTED =
test-all:
	@scripts/install_dependencies test
	@if [ '$(TESTED)' = quick ]; then scripts/run_tests rest; else scripts/run_tests all; fi

# The counts are those of this run alone. With the long tests: among them are those that refuse allocations.
coverage:
	@scripts/install_dependencies test
	@scripts/build coverage -DFENDER_TESTS=ON
	@find build/coverage -name '*.gcda' -delete
	@scripts/run_tests in build/coverage -L quick -LE house || echo 'coverage: tests failed; what they reached counts'
	@scripts/coverage build/coverage

bench:
	@scripts/install_dependencies bench
	@scripts/build release -DFENDER_TESTS=OFF
	@cmake --build build --target bench
	@set -e; for program in build/bench/fender_bench_*; do echo "== $$program"; "$$program"; done

work-precision:
	@scripts/install_dependencies run
	@scripts/build release -DFENDER_TESTS=OFF
	@scripts/work_precision

docs:
	@scripts/install_dependencies docs
	@scripts/build_docs

deb:
	@scripts/install_dependencies packages
	@scripts/build release -DFENDER_TESTS=OFF
	@scripts/build_packages

deb-test: deb
	@scripts/test_packages build/deb

format:
	@scripts/list_sources | xargs clang-format -i

clean:
	rm -rf build
