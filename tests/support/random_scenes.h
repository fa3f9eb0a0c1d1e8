/* Scenes of many bodies that touch, for the search of events: balls, capsules and boxes on a plane or in a box, with
 * each law of friction, rolling and twisting of the library. */
#ifndef TEST_RANDOM_SCENES_H
#define TEST_RANDOM_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The scenario of that number as text; it is the same whatever was drawn before it. */
void random_scene_write(uint64_t number, char *text, size_t size);

typedef struct random_scene_result {
    double residual, bound; /* the largest residual over the ledger's scale; what the run allows */
    int64_t steps, held;
    char error[512]; /* empty: it ended */
} random_scene_result;

random_scene_result random_scene_run(const char *text);

/* Runs those from first on; prints each that fails. How many failed. */
int random_scenes_fail(uint64_t first, int count);

#endif
