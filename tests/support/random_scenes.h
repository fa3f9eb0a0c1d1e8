/* Scenes of many bodies that touch, for the search of events: spheres, capsules and boxes on a plane or in a box, with
 * each law of friction, rolling and twisting of the library. */
#ifndef TEST_RANDOM_SCENES_H
#define TEST_RANDOM_SCENES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SCENE_SIZE = 16384 };

/* The scenario of that number as text; it is the same whatever was drawn before it. `part`: of its usual step, or of
 * the fourth root of its tolerance. `stiffer`: times its stiffness, with the motion at the start as it is. No
 * stick_speed is below what the usual step can follow: `fender check` and `fender run` warn of that. Nor is an
 * amplitude of bristles: their sliding would be unstable. */
void random_scene_write(uint64_t number, double part, double stiffer, char *text, size_t size);

typedef struct random_scene_result {
    double residual, bound; /* the largest residual over the ledger's scale; what the run allows */
    int64_t steps, held;
    char error[512]; /* empty: it ended */
    bool too_deep;   /* it stopped at the depth limit */
} random_scene_result;

random_scene_result random_scene_run(const char *text);

/* Runs those from first on, and prints each that fails: that does not end, or whose energy is not within the bound of a
 * run, neither at its step nor at a quarter and a sixteenth of it (a touch and its release within one step are not
 * located). A heap that is too soft for what falls on it stops at the depth limit: what the error asks for is done, the
 * contacts are made 4, 16 and 64 times stiffer, and then it has to end. How many failed. */
int random_scenes_fail(uint64_t first, int count);

#endif
