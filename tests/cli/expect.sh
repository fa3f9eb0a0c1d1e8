# Sourced by tests of the program: counts failures in $failed.
failed=0

# expect CODE TEXT COMMAND...: the exit code, and a word of the error output ("" for none)
expect() {
    wanted=$1
    text=$2
    shift 2
    sh -c "$*" >out 2>err
    code=$?
    if [ "$code" -ne "$wanted" ] || { [ -n "$text" ] && ! grep -q -- "$text" err; }; then
        echo "FAILED: $*: exit $code, expected $wanted; expected '$text' in:"
        cat err
        failed=$((failed + 1))
    fi
}
