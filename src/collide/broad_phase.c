/* Sort and sweep of fattened boxes. */
#include "collide/broad_phase.h"

#include "base/memory.h"

bool fnd_broad_phase_create(const fender_env *env, fnd_broad_phase *broad, int count, int pair_capacity)
{
    *broad = (fnd_broad_phase){.count = count};
    if (count == 0) return true;
    broad->boxes = fnd_allocate(env, (size_t)count * sizeof *broad->boxes);
    broad->order = fnd_allocate(env, (size_t)count * sizeof *broad->order);
    broad->order_scratch = fnd_allocate(env, (size_t)count * sizeof *broad->order_scratch);
    void *pairs = NULL, *scratch = NULL;
    bool ok = broad->boxes && broad->order && broad->order_scratch &&
              fnd_reserve(env, &pairs, &broad->pair_capacity, pair_capacity, sizeof *broad->pairs) &&
              fnd_reserve(env, &scratch, &broad->scratch_capacity, pair_capacity, sizeof *broad->pairs);
    broad->pairs = pairs;
    broad->pair_scratch = scratch;
    for (int i = 0; ok && i < count; i++) broad->order[i].index = (uint32_t)i;
    if (!ok) fnd_broad_phase_destroy(env, broad);
    return ok;
}

void fnd_broad_phase_destroy(const fender_env *env, fnd_broad_phase *broad)
{
    size_t count = (size_t)broad->count;
    fnd_release(env, broad->boxes, count * sizeof *broad->boxes);
    fnd_release(env, broad->order, count * sizeof *broad->order);
    fnd_release(env, broad->order_scratch, count * sizeof *broad->order_scratch);
    fnd_release(env, broad->pairs, (size_t)broad->pair_capacity * sizeof *broad->pairs);
    fnd_release(env, broad->pair_scratch, (size_t)broad->scratch_capacity * sizeof *broad->pair_scratch);
    *broad = (fnd_broad_phase){0};
}

static double component(fender_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* The axis along which the boxes are spread most: fewest overlap along it. */
static int widest_axis(const fnd_broad_phase *broad)
{
    fender_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < broad->count; i++) {
        if (!broad->boxes[i].present) continue;
        fender_vec3 c = broad->boxes[i].center;
        if (c.x < low.x) low.x = c.x;
        if (c.y < low.y) low.y = c.y;
        if (c.z < low.z) low.z = c.z;
        if (c.x > high.x) high.x = c.x;
        if (c.y > high.y) high.y = c.y;
        if (c.z > high.z) high.z = c.z;
    }
    fender_vec3 spread = fender_vec3_sub(high, low);
    if (spread.x >= spread.y && spread.x >= spread.z) return 0;
    return spread.y >= spread.z ? 1 : 2;
}

static bool overlap(const fnd_fat_box *a, const fnd_fat_box *b)
{
    return fabs(a->center.x - b->center.x) <= a->half.x + b->half.x &&
           fabs(a->center.y - b->center.y) <= a->half.y + b->half.y &&
           fabs(a->center.z - b->center.z) <= a->half.z + b->half.z;
}

bool fnd_broad_phase_rebuild(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    int axis = widest_axis(broad);
    for (int i = 0; i < broad->count; i++) {
        const fnd_fat_box *box = &broad->boxes[broad->order[i].index];
        broad->order[i].key = box->present ? component(box->center, axis) - component(box->half, axis) : INFINITY;
    }
    fnd_sort_by_real(broad->order, broad->order_scratch, broad->count);

    broad->pair_count = 0;
    for (int i = 0; i < broad->count; i++) {
        uint32_t one = broad->order[i].index;
        const fnd_fat_box *box = &broad->boxes[one];
        if (!box->present) break;
        double upper = component(box->center, axis) + component(box->half, axis);
        for (int j = i + 1; j < broad->count && broad->order[j].key <= upper; j++) {
            uint32_t other = broad->order[j].index;
            if (!overlap(box, &broad->boxes[other])) continue;
            uint32_t low = one < other ? one : other, high = one < other ? other : one;
            if (!eligible(ctx, (int)low, (int)high)) continue;
            void *pairs = broad->pairs;
            if (!fnd_reserve_one_more(env, &pairs, &broad->pair_capacity, broad->pair_count, sizeof *broad->pairs))
                return false;
            broad->pairs = pairs;
            broad->pairs[broad->pair_count++] = (uint64_t)low << 32 | high;
        }
    }
    void *scratch = broad->pair_scratch;
    if (!fnd_reserve(env, &scratch, &broad->scratch_capacity, broad->pair_count, sizeof *broad->pair_scratch))
        return false;
    broad->pair_scratch = scratch;
    fnd_sort_by_key(broad->pairs, broad->pair_scratch, broad->pair_count);
    broad->valid = true;
    return true;
}
