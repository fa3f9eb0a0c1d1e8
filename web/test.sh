#!/bin/sh
# Tests of the report page: type check, unit tests, the page in Chromium; reports of real runs where FENDER names the
# program and FENDER_SOURCE_DIR the source tree.
# FENDER_CHROMIUM names another browser; FENDER_PICTURES=DIR keeps screenshots there.
set -eu
web=$(cd "$(dirname "$0")" && pwd)
cd "$web"
./install.sh

echo "web: type check"
node_modules/.bin/tsc --noEmit

# Inside node_modules so that the bundled tests find their packages; one folder per run.
mkdir -p node_modules/.cache
work=$(mktemp -d "$web/node_modules/.cache/test-XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
node_modules/.bin/esbuild test/unit/*.test.ts test/browser/*.test.ts --bundle --platform=node --format=esm \
    --packages=external --outdir="$work" --outbase=test --out-extension:.js=.mjs --log-level=warning

echo "web: unit tests"
node --test --test-reporter=spec "$work"/unit/*.test.mjs

chromium=${FENDER_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$chromium" ]; then
    echo "web: no Chromium found: apt-get install chromium, or scripts/install_dependencies test; FENDER_CHROMIUM names another" >&2
    exit 1
fi
echo "web: browser tests with $chromium"
./build.sh "$work"
FENDER_VIEWER="$work/viewer.html" FENDER_CHROMIUM="$chromium" node --test --test-concurrency=1 --test-reporter=spec "$work"/browser/*.test.mjs
