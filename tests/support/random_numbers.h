/* Random numbers for tests: counter-based, so that case n is the same whatever was drawn before it. */
#ifndef TEST_RANDOM_NUMBERS_H
#define TEST_RANDOM_NUMBERS_H

#include <fender/spatial.h>
#include <stdint.h>

typedef struct random_stream {
    uint64_t key, counter;
} random_stream;

/* The stream of one case of one test. */
random_stream random_of_case(uint64_t test, uint64_t number);
uint64_t random_bits(random_stream *stream);
double random_between(random_stream *stream, double low, double high);
/* Spread evenly over the decades from low to high (both above zero). */
double random_magnitude(random_stream *stream, double low, double high);
int random_below(random_stream *stream, int count); /* 0 ... count-1 */
fender_vec3 random_direction(random_stream *stream);
/* Evenly in a sphere. */
fender_vec3 random_in_ball(random_stream *stream, double radius);
/* Evenly over all rotations. */
fender_quaternion random_rotation(random_stream *stream);
/* A tensor that a body can have: principal moments of three point pairs, in random axes. */
fender_mat3 random_inertia(random_stream *stream, double mass, double size);

#endif
