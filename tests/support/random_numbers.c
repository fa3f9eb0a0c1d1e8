/* Random numbers for tests: a hash of key and counter. */
#include "random_numbers.h"

static uint64_t mixed(uint64_t x) /* finaliser of SplitMix64 */
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

random_stream random_of_case(uint64_t test, uint64_t number)
{
    return (random_stream){mixed(mixed(test + 0x9e3779b97f4a7c15u) + number), 0};
}

uint64_t random_bits(random_stream *stream)
{
    stream->counter++;
    return mixed(mixed(stream->key + stream->counter * 0x9e3779b97f4a7c15u) ^ stream->counter);
}

double random_between(random_stream *stream, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(stream) >> 11) * 0x1p-53);
}

double random_magnitude(random_stream *stream, double low, double high)
{
    return exp(random_between(stream, log(low), log(high)));
}

int random_below(random_stream *stream, int count) { return (int)(random_bits(stream) % (uint64_t)count); }

fender_vec3 random_direction(random_stream *stream)
{
    for (;;) {
        fender_vec3 v;
        v.x = random_between(stream, -1, 1);
        v.y = random_between(stream, -1, 1);
        v.z = random_between(stream, -1, 1);
        double length = fender_vec3_length(v);
        if (length > 0.05 && length <= 1) return fender_vec3_scale(1 / length, v);
    }
}

fender_vec3 random_in_ball(random_stream *stream, double radius)
{
    double distance = radius * cbrt(random_between(stream, 0, 1)); /* one draw a statement: the order is then ours */
    return fender_vec3_scale(distance, random_direction(stream));
}

fender_quaternion random_rotation(random_stream *stream)
{
    for (;;) {
        fender_quaternion q;
        q.w = random_between(stream, -1, 1);
        q.x = random_between(stream, -1, 1);
        q.y = random_between(stream, -1, 1);
        q.z = random_between(stream, -1, 1);
        double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (square > 0.01 && square <= 1) return fender_quaternion_normalized(q);
    }
}

fender_mat3 random_inertia(random_stream *stream, double mass, double size)
{
    double xx = random_between(stream, 0.05, 0.4), yy = random_between(stream, 0.05, 0.4);
    double zz = random_between(stream, 0.05, 0.4), s = mass * size * size;
    fender_mat3 principal = fender_mat3_diagonal(s * (yy + zz), s * (xx + zz), s * (xx + yy));
    fender_mat3 R = fender_quaternion_matrix(random_rotation(stream));
    fender_mat3 Rt = fender_mat3_transpose(&R), half = fender_mat3_product(&R, &principal);
    fender_mat3 I = fender_mat3_product(&half, &Rt);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) I.m[i][j] = I.m[j][i];
    return I;
}
