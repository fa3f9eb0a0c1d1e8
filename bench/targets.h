/* The table of targets: what Fender reached beside the best other engine of the same run, whether that is enough or
 * not. */
#ifndef FENDER_BENCH_TARGETS_H
#define FENDER_BENCH_TARGETS_H

#include <stdio.h>
#include <string.h>

typedef struct bench_target {
    char work[64];
    const char *unit, *peer;
    double value, peer_value, wanted;
} bench_target;

static bench_target bench_targets[64];
static int bench_target_count;

/* `wanted`: how often the peer's rate Fender's shall be (times: give rates, 1 / time); 0: there is no target.
 * peer_value 0: the peer is missing. */
static inline void targets_add(const char *work, const char *unit, double value, const char *peer, double peer_value,
                               double wanted)
{
    if (bench_target_count == (int)(sizeof bench_targets / sizeof bench_targets[0])) return;
    bench_target *t = &bench_targets[bench_target_count++];
    *t = (bench_target){.unit = unit, .peer = peer, .value = value, .peer_value = peer_value, .wanted = wanted};
    snprintf(t->work, sizeof t->work, "%s", work);
}

static inline void targets_print(void)
{
    printf("\n%-36s %12s %-8s %22s %8s %8s\n", "target", "Fender", "", "beside", "ratio", "wanted");
    for (int i = 0; i < bench_target_count; i++) {
        const bench_target *t = &bench_targets[i];
        printf("%-36s %12.4g %-8s ", t->work, t->value, t->unit);
        if (!(t->peer_value > 0)) {
            printf("%22s %8s %8.2f  not measured: no %s\n", "-", "-", t->wanted, t->peer);
            continue;
        }
        double ratio = t->value / t->peer_value;
        printf("%12.4g %-9s %8.2f", t->peer_value, t->peer, ratio);
        if (t->wanted > 0) printf(" %8.2f  %s\n", t->wanted, ratio >= t->wanted ? "reached" : "not reached");
        else printf("\n");
    }
}

#endif
