#!/bin/sh
# Soft capture with petals as hulls or meshes, by patches or single points: one verdict.
set -eu
cases=$FENDER_SOURCE_DIR/verif/borders/slow
first=""
for petals in hulls meshes; do
    for points in patch single; do
        sed -e "s/^    points: single\$//" -e "s/^  guide:\$/  guide:\n    points: $points/" "$cases/petals_of_$petals.yaml" >"$petals.$points.yaml"
        cp "$cases"/*.stl .
        "$FENDER" run "$petals.$points.yaml" --quiet --accept-residual --out "$petals.$points.run" --set "run.until=6 s" >log.txt 2>&1 || test $? -eq 5
        time=$(awk -F, '$2 == "soft_capture" { print $1; exit }' "$petals.$points.run/events.csv")
        echo "petals of $petals, $points: soft capture at ${time:-never} s"
        test -n "$time"
        test -n "$first" || first=$time
        awk -v a="$first" -v b="$time" 'BEGIN { d = a - b; exit !(d < 0.2 && d > -0.2) }'
    done
done
