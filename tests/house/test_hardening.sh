#!/bin/sh
# A hardened build is what it says: the program and both shared libraries have guarded stacks, checked calls of the C library
# and tables of addresses that cannot be written, and the program's place in memory is chosen anew for each run.
set -eu
case $("$FENDER" info build) in
*-fstack-protector-strong*) ;;
*) echo "skipped: this build is not hardened (FENDER_HARDENING, an optimised build without sanitizers)" && exit 77 ;;
esac
failed=0
need() { # file, what it must have, command...
    file=$1
    what=$2
    shift 2
    "$@" "$file" >out 2>&1
    grep -q -E -e "$what" out || { failed=1 && echo "$file has no '$what' in: $*"; }
}
need "$FENDER" 'DYN \(' readelf -h
for file in "$FENDER" "$FENDER_BUILD_DIR/lib/libfender.so" "$FENDER_BUILD_DIR/lib/libfender_io.so"; do
    need "$file" GNU_RELRO readelf -lW
    need "$file" 'BIND_NOW|Flags:.* NOW' readelf -d
    need "$file" 'GNU_STACK.* RW ' readelf -lW
    need "$file" '__stack_chk_fail' nm -D
    need "$file" '__snprintf_chk' nm -D
done
exit $failed
