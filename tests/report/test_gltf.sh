#!/bin/sh
# A glTF file of a run judged by the Khronos validator (of web/package.json) and compared with the recorded numbers; wrong files
# are noticed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${FENDER:?names the program under test}" "${FENDER_SOURCE_DIR:?names the tree}"
if [ ! -d "$FENDER_SOURCE_DIR/web/node_modules/gltf-validator" ]; then
    echo "skipped: no validator (web/install.sh installs it)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
good=good.glb
wrong=wrong.glb
# shellcheck source=tests/report/planted.sh
. "$here/planted.sh"

check() { timeout 60 node "$here/check_gltf.mjs" out.run "$1" 1001 >said 2>&1; }
# replaces text in the JSON by text of the same length
plant() { LC_ALL=C sed "$1" good.glb >wrong.glb; }

"$FENDER" run "$here/inputs/export.yaml" --out out.run --quiet --accept-residual >/dev/null 2>&1 || exit 1
"$FENDER" export out.run --gltf good.glb --frames 1001 --quiet || exit 1
# every state is a frame, those of events too: the stay holds at 1001, the rope at the 29 before it breaks at 29 ms, the claw at
# the 783 from 218 ms on
accept '1001 frames: 4004 bodies, 1813 links, 233 forces'

head -c 4000 good.glb >wrong.glb
refuse "a file cut short" "GLB_"
plant 's/"count":1001,"type":"VEC4"/"count":1002,"type":"VEC4"/'
refuse "an accessor longer than its view" "ACCESSOR_TOO_LONG"
plant 's/"path":"rotation"/"path":"rotatiom"/'
refuse "a motion of no kind" "VALUE_NOT_IN_LIST"
plant 's/"mesh":1/"mesh":9/'
refuse "a mesh that is not there" "UNRESOLVED_REFERENCE"
plant 's/"name":"mast"/"name":"????"/; s/"name":"ball"/"name":"mast"/; s/"name":"????"/"name":"ball"/'
refuse "two bodies changed places" "mast is elsewhere"
plant 's/"name":"crate"/"name":"etarc"/'
refuse "a body of another name" "no node for body crate"
plant 's/"newtons_per_metre":./"newtons_per_metre":9/'
refuse "forces of another scale" "another force"
plant 's/"name":"rope"/"name":"stay"/'
refuse "a link of another name" "link rope"
plant 's/"origin":\[0,0,0\]/"origin":[1,0,0]/'
refuse "another origin" "elsewhere"

echo "$failed failed"
[ "$failed" -eq 0 ]
