/* Sums over the contacts of a pair, for the record that stands for all of them. */
#include "contact/pair_sum.h"

void fnd_pair_sum_add(fnd_pair_sum *sum, const fnd_record *record, const fnd_record *before, const fnd_contact *now)
{
    static const fnd_record none;
    if (sum->a != record->key.a || sum->b != record->key.b)
        *sum = (fnd_pair_sum){.a = record->key.a, .b = record->key.b};
    if (!before) before = &none;
    sum->impulse += record->impulse - before->impulse;
    sum->force_impulse = fender_vec3_add(sum->force_impulse,
                                         fender_vec3_sub(record->force_impulse, before->force_impulse));
    sum->damping_loss += record->damping_loss - before->damping_loss;
    sum->friction_loss += record->friction_loss - before->friction_loss;
    sum->work += record->work - before->work;
    sum->stored += record->stored;
    sum->stored_at_start += record->stored_at_start - before->stored_at_start;
    if (!now) return;
    sum->force += now->force_C.z;
    if (now->in.depth > sum->depth) sum->depth = now->in.depth;
}

/* The force of the pair is known at accepted states alone: what lies between them may be above by about as much as it
 * rose in the last step. */
void fnd_pair_sum_book(const fnd_pair_sum *sum, double time, fnd_record *pair)
{
    bool mine = sum->a == pair->key.a && sum->b == pair->key.b;
    pair->stored = 0;
    if (!mine) return;
    pair->impulse += sum->impulse;
    pair->force_impulse = fender_vec3_add(pair->force_impulse, sum->force_impulse);
    pair->damping_loss += sum->damping_loss;
    pair->friction_loss += sum->friction_loss;
    pair->work += sum->work;
    pair->stored = sum->stored;
    pair->stored_at_start += sum->stored_at_start;
    if (sum->force > pair->peak_force) {
        pair->force_sampling_error = sum->force - pair->peak_force;
        pair->time_sampling_error = time - pair->last_time;
        pair->peak_force = sum->force;
        pair->peak_force_time = time;
    }
    if (sum->depth > pair->peak_depth) {
        pair->depth_sampling_error = sum->depth - pair->peak_depth;
        pair->peak_depth = sum->depth;
    }
}
