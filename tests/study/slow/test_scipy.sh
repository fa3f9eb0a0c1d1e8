#!/bin/sh
# SciPy judges what studies draw and what reports say: Kolmogorov-Smirnov tests of every distribution, discrepancy and
# stratification of designs, covariance matrices, intervals. Seeds are fixed: a passing p stays.
set -eu
if "$FENDER" study report none.db 2>&1 | grep -q "keeps no stores"; then echo "skipped: this build has no SQLite"; exit 77; fi
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import scipy.stats.qmc' 2>/dev/null; then python=$candidate; break; fi
done
[ -n "$python" ] || { echo "skipped: no python3 with scipy 1.7 (Debian: python3-scipy)"; exit 77; }
rm -f ./*.db ./*.csv
cp "$FENDER_SOURCE_DIR/samples/studies/flat_lander.yaml" .
study() { # design, runs
    cat > "$1.yaml" <<END
fender_study: 1
scenario: flat_lander.yaml
set: {run.until: 2 ms}
design: $1
runs: $2
seed: 12
vary:
  a: {path: bodies.lander.state.velocity.x, normal: {mean: 0.2 m/s, deviation: 0.3 m/s}}
  b: {path: bodies.lander.state.velocity.y, lognormal: {median: 0.5 m/s, deviation: 0.4}}
  c: {path: bodies.lander.state.velocity.z, triangular: [-2, -1.8, -1, m/s]}
  d: {path: bodies.lander.state.angular_velocity.x, beta: {from: -1 deg/s, to: 3 deg/s, alpha: 2, beta: 0.7}}
  e: {path: bodies.lander.state.angular_velocity.y, weibull: {scale: 2 deg/s, shape: 1.5}}
  f: {path: bodies.lander.state.angular_velocity.z, uniform: [-2, 3, deg/s]}
  g: {path: contact_types.pad_on_soil.friction.mu, normal: {mean: 0.5, deviation: 0.2}, within: [0.1, 0.6]}
  h: {path: contact_types.pad_on_soil.normal.stiffness, table: [[100, 0], [200, 0.25], [500, 1], kN/m]}
  j: {path: bodies.lander.mass_properties.mass, normal: {mean: 1200 kg}}
  k: {path: bodies.lander.state.position.z, normal: {mean: 3 m}}
$3
keep: {v: {channel: bodies.lander.velocity.x, at: end}}
outcomes: {fast: v > 0.4}
END
    "$FENDER" study run "$1.yaml" --quiet -o "$1.db"
    "$FENDER" study export "$1.db" --csv "$1.csv"
    "$FENDER" study report "$1.db" > "$1.txt"
}
joint='joint: [{variables: [j, k], covariance: [[400 kg^2, 3 kg*m], [3 kg*m, 0.04 m^2]]}]'
study random 3000 "$joint"
study latin_hypercube 1000 "$joint"
study sobol 1024 "$joint"
"$python" - <<'END'
import csv, re
import numpy as np
from scipy import stats
from scipy.stats import qmc

def load(name):
    rows = list(csv.DictReader(open(name + ".csv")))
    return {k.split(" ")[0]: np.array([float(r[k]) for r in rows]) for k in rows[0] if k.split(" ")[0] not in ("status", "hash", "reason")}

class Table:
    def cdf(self, x):
        return np.interp(x, [100, 200, 500], [0, 0.25, 1])

truth = {"a": stats.norm(0.2, 0.3), "b": stats.lognorm(0.4, scale=0.5), "c": stats.triang(0.2, -2, 1), "d": stats.beta(2, 0.7, -1, 4),
         "e": stats.weibull_min(1.5, scale=2), "f": stats.uniform(-2, 5), "g": stats.truncnorm(-2, 0.5, 0.5, 0.2), "h": Table(),
         "j": stats.norm(1200, 20), "k": stats.norm(3, 0.2)}
for design in ("random", "latin_hypercube", "sobol"):
    x = load(design)
    n = len(x["a"])
    u = np.array([truth[k].cdf(x[k]) for k in sorted(truth)]).T
    for i, k in enumerate(sorted(truth)):
        p = stats.kstest(u[:, i], "uniform").pvalue
        assert p > 1e-3, (design, k, p)
        if design == "latin_hypercube":
            assert len(set(np.floor(u[:, i] * n).astype(int))) == n, (design, k)
    independent = np.corrcoef(stats.norm.ppf(u[:, :9].T))
    assert np.abs(independent - np.eye(9)).max() < 4 / np.sqrt(n), design
    # deviation of a covariance: sqrt((s11 s22 + s12^2) / n)
    wanted, found = np.array([[400, 3], [3, 0.04]]), np.cov(x["j"], x["k"])
    d = np.sqrt(np.diag(wanted))
    assert (np.abs(found - wanted) < 4 * np.sqrt((np.outer(d, d) ** 2 + wanted**2) / n)).all(), (design, found)
    unit = qmc.discrepancy(u[:512, :4], method="L2-star")
    by_chance = np.mean([qmc.discrepancy(np.random.default_rng(s).random((512, 4)), method="L2-star") for s in range(5)])
    of_scipy = qmc.discrepancy(qmc.Sobol(4, scramble=True, seed=1).random(512), method="L2-star")
    print(f"{design}: L2-star discrepancy of 512 points {unit:.2e}; SciPy's Sobol {of_scipy:.2e}; by chance {by_chance:.2e}")
    if design == "sobol":
        assert unit < 1.5 * of_scipy and unit < 0.5 * by_chance

    text = open(design + ".txt").read()
    hits = int((x["v"] > 0.4).sum())
    said = re.search(r"^ fast +(\d+) +([\d.]+) % +([\d.]+) to ([\d.]+) %", text, re.M).groups()
    exact = stats.binomtest(hits, n).proportion_ci(0.95, "exact")
    assert int(said[0]) == hits and abs(float(said[2]) - 100 * exact.low) < 6e-3 and abs(float(said[3]) - 100 * exact.high) < 6e-3, said
    said = re.search(r"^ v +([-\d.]+) \(([-\d.]+) to ([-\d.]+)\) +([-\d.]+) +([-\d.]+)", text, re.M).groups()
    interval = stats.t.interval(0.95, n - 1, x["v"].mean(), stats.sem(x["v"]))
    for a, b in zip(map(float, said), (x["v"].mean(), *interval, np.quantile(x["v"], 0.05), np.median(x["v"]))):
        assert abs(a - b) < 1e-5, (design, a, b)
    said = float(re.search(r"^ fast +with a +([-\d.]+)", text, re.M).group(1))
    assert abs(said - stats.spearmanr(x["v"] > 0.4, x["a"])[0]) < 6e-4, said
END
