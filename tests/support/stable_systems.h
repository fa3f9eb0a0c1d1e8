/* Random systems whose longest stable step is known apart from fender_world_stable_step. */
#ifndef TEST_STABLE_SYSTEMS_H
#define TEST_STABLE_SYSTEMS_H

#include <stdint.h>

/* Chains of masses, springs and dampers, whose modes give the limit: how far below it the step that is found is at
 * most, relatively; infinite: one is above. */
double chains_off(uint64_t first, int count);
/* Spheres at rest on a floor by random laws: how many of them grow with steps below what was found, or do not grow with
 * steps a seventh above it. */
int rests_wrong(uint64_t first, int count);

/* A sphere pressed deep into the floor, far from rest, whose spring alone bounds the step: largest relative distance
 * from that bound, by all methods. */
double pressed_off(void);
/* The same of a body on a spring with six degrees of freedom that is stiffest against turning. */
double turned_off(void);

#endif
