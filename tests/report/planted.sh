# Sourced by tests of exported files: counts failures in $failed. The caller defines `check PATH`, which judges a file or
# folder and leaves its words in `said`, and $good and $wrong: the export, and the copy in which errors are planted.
failed=0

# accept COUNTS: the export is right, and holds so much
accept() {
    if ! check "$good"; then
        cat said
        exit 1
    fi
    cat said
    if ! grep -q -- "$1" said; then
        echo "FAILED: other counts than '$1'"
        failed=$((failed + 1))
    fi
    cp -r "$good" "$wrong"
}

# refuse WHAT WORD: what was planted is noticed, with that word; the copy is whole again
refuse() {
    if check "$wrong"; then
        echo "FAILED: not noticed: $1"
        failed=$((failed + 1))
    elif ! grep -q -- "$2" said; then
        echo "FAILED: $1: '$2' is not in:"
        cat said
        failed=$((failed + 1))
    fi
    rm -rf "$wrong"
    cp -r "$good" "$wrong"
}
