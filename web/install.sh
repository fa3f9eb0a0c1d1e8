#!/bin/sh
# Installs the pinned packages of the page into node_modules, only when package-lock.json changed since the last time.
set -eu
cd "$(dirname "$0")"
stamp=node_modules/.installed-lock
if cmp -s package-lock.json "$stamp"; then exit 0; fi
if ! command -v npm >/dev/null 2>&1; then
    echo "web: npm is needed to install the packages of the report page (Debian: apt-get install npm)" >&2
    exit 1
fi
attempt=1
until npm ci --no-audit --no-fund --loglevel=error; do
    if [ "$attempt" -ge 3 ]; then
        echo "web: npm ci failed $attempt times; the packages come from the network the first time" >&2
        exit 1
    fi
    attempt=$((attempt + 1))
    sleep $((attempt * 3))
done
cp package-lock.json "$stamp"
