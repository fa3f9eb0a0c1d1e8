/* Worlds that are stepped by several threads at once get the bits that they get alone: nothing is shared but what never
 * changes. */
#include "check.h"
#include "repeats.h"
#include "scene.h"
#include <pthread.h>

enum { WORLDS = 24, STEPS = repeats(300), MOST_THREADS = 8 };
static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;

typedef struct job {
    fender_world *worlds[WORLDS];
    uint64_t hashes[WORLDS];
    int first, stride;
    bool ok;
} job;

static void *work(void *argument)
{
    job *j = argument;
    j->ok = true;
    for (int step = 0; step < STEPS; step++) /* turn about, so that the threads are in each other's way */
        for (int i = j->first; i < WORLDS; i += j->stride)
            j->ok = j->ok && fender_world_step(j->worlds[i], NULL) == FENDER_STATUS_OK;
    for (int i = j->first; i < WORLDS; i += j->stride) j->hashes[i] = fender_world_hash(j->worlds[i]);
    return NULL;
}

static void any_number_of_threads(void **state)
{
    (void)state;
    uint64_t expected[WORLDS] = {0};
    int64_t touches = 0;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        job jobs[MOST_THREADS] = {0};
        fender_world *worlds[WORLDS];
        for (int i = 0; i < WORLDS; i++) {
            random_stream r = random_of_case(411, (uint64_t)i);
            scene s = scene_random(&r, 2, 5, every_law);
            s.world.step = 5e-3;
            s.world.method = fender_integrator_name((fender_integrator_method)(i % 5))
                                 ? (fender_integrator_method)(i % 5)
                                 : FENDER_INTEGRATOR_RK4;
            s.world.locate_events = i % 2;
            worlds[i] = scene_build(&s);
        }
        pthread_t ids[MOST_THREADS];
        for (int t = 0; t < threads; t++) {
            for (int i = 0; i < WORLDS; i++) jobs[t].worlds[i] = worlds[i];
            jobs[t].first = t;
            jobs[t].stride = threads;
            assert_int_equal(pthread_create(&ids[t], NULL, work, &jobs[t]), 0);
        }
        for (int t = 0; t < threads; t++) {
            assert_int_equal(pthread_join(ids[t], NULL), 0);
            assert_true(jobs[t].ok);
            for (int i = t; i < WORLDS; i += threads) {
                if (threads == 1) expected[i] = jobs[t].hashes[i];
                assert_true(jobs[t].hashes[i] == expected[i]);
            }
        }
        for (int i = 0; i < WORLDS; i++) {
            touches += fender_world_event_count(worlds[i], FENDER_EVENT_BEGIN);
            fender_world_destroy(worlds[i]);
        }
    }
    print_message("%d worlds, 1 to %d threads, %d touches\n", WORLDS, MOST_THREADS, (int)touches);
    assert_true(touches > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_number_of_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
