/* The table of targets: what Fender reached beside the best other engine of the same run, whether that is enough or
 * not. A target that is added in several runs of a program is judged by the median of its ratios. */
#ifndef FENDER_BENCH_TARGETS_H
#define FENDER_BENCH_TARGETS_H

#include "bench.h"
#include <stdio.h>
#include <string.h>

enum {
    BENCH_RUNS = 3
}; /* of a whole program, so that every engine meets the same disturbances; at most BENCH_REPEATS */

typedef struct bench_target {
    char work[64];
    const char *unit, *peer;
    double wanted;
    bench_sample values, peer_values, ratios;
} bench_target;

static bench_target bench_targets[96];
static int bench_target_count;

/* `wanted`: how often the peer's rate Fender's shall be (times: give rates, 1 / time); 0: there is no target.
 * peer_value 0: the peer is missing. Once in each run. */
static inline void targets_add(const char *work, const char *unit, double value, const char *peer, double peer_value,
                               double wanted)
{
    int i = 0;
    while (i < bench_target_count && !(strcmp(bench_targets[i].work, work) == 0 && bench_targets[i].wanted == wanted &&
                                       (wanted > 0 || strncmp(bench_targets[i].peer, peer, 3) == 0)))
        i++;
    if (i == (int)(sizeof bench_targets / sizeof bench_targets[0])) bench_fail("too many targets");
    bench_target *t = &bench_targets[i];
    if (i == bench_target_count) {
        bench_target_count++;
        *t = (bench_target){.unit = unit, .peer = peer, .wanted = wanted};
        snprintf(t->work, sizeof t->work, "%s", work);
    }
    if (t->values.count == BENCH_REPEATS) bench_fail("too many runs");
    bench_add(&t->values, value);
    if (!(peer_value > 0)) return;
    t->peer = peer;
    bench_add(&t->peer_values, peer_value);
    bench_add(&t->ratios, value / peer_value);
}

static inline void targets_print(void)
{
    int runs = bench_target_count > 0 ? bench_targets[0].values.count : 0;
    printf("\nmedians of %d runs\n%-52s %12s %-8s %26s %8s %16s %8s\n", runs, "target", "Fender", "", "beside", "ratio",
           "least..most", "wanted");
    for (int i = 0; i < bench_target_count; i++) {
        const bench_target *t = &bench_targets[i];
        printf("%-52s %12.4g %-8s ", t->work, bench_median(&t->values), t->unit);
        if (t->ratios.count == 0) {
            printf("%26s %8s %16s %8.2f  not measured: no %s\n", "-", "-", "-", t->wanted, t->peer);
            continue;
        }
        double ratio = bench_median(&t->ratios);
        printf("%12.4g %-13s %8.2f %7.2f..%-7.2f", bench_median(&t->peer_values), t->peer, ratio,
               bench_least(&t->ratios), bench_most(&t->ratios));
        if (t->wanted > 0) printf(" %8.2f  %s\n", t->wanted, ratio >= t->wanted ? "reached" : "not reached");
        else printf("\n");
    }
}

#endif
