/* The list of pairs, kept up to date with what a tree of boxes finds. */
#include "collide/broad_phase.h"

#include "base/memory.h"
#include "base/sort.h"
#include <string.h>

bool fnd_broad_phase_create(const fender_env *env, fnd_broad_phase *broad, int count, int pair_capacity)
{
    *broad = (fnd_broad_phase){.count = count};
    if (count == 0) return fnd_box_tree_create(env, &broad->tree, 0);
    size_t n = (size_t)count;
    broad->volumes = fnd_allocate(env, n * sizeof *broad->volumes);
    broad->which = fnd_allocate(env, n);
    broad->changed = fnd_allocate(env, n);
    broad->changes = fnd_allocate(env, n * sizeof *broad->changes);
    broad->loose = fnd_allocate(env, n * sizeof *broad->loose);
    broad->hits = fnd_allocate(env, n * sizeof *broad->hits);
    void *pairs = NULL, *fresh = NULL, *scratch = NULL, *removed = NULL, *added = NULL;
    bool ok = fnd_box_tree_create(env, &broad->tree, count) && broad->volumes && broad->which && broad->changed &&
              broad->changes && broad->loose && broad->hits &&
              fnd_reserve(env, &pairs, &broad->pair_capacity, pair_capacity, sizeof *broad->pairs) &&
              fnd_reserve(env, &fresh, &broad->fresh_capacity, pair_capacity, sizeof *broad->fresh) &&
              fnd_reserve(env, &scratch, &broad->scratch_capacity, pair_capacity, sizeof *broad->scratch) &&
              fnd_reserve(env, &removed, &broad->removed_capacity, pair_capacity, sizeof *broad->removed) &&
              fnd_reserve(env, &added, &broad->added_capacity, pair_capacity, sizeof *broad->added);
    broad->pairs = pairs;
    broad->fresh = fresh;
    broad->scratch = scratch;
    broad->removed = removed;
    broad->added = added;
    if (!ok) fnd_broad_phase_destroy(env, broad);
    return ok;
}

void fnd_broad_phase_destroy(const fender_env *env, fnd_broad_phase *broad)
{
    size_t n = (size_t)broad->count;
    fnd_box_tree_destroy(env, &broad->tree);
    fnd_release(env, broad->volumes, n * sizeof *broad->volumes);
    fnd_release(env, broad->which, n);
    fnd_release(env, broad->changed, n);
    fnd_release(env, broad->changes, n * sizeof *broad->changes);
    fnd_release(env, broad->loose, n * sizeof *broad->loose);
    fnd_release(env, broad->hits, n * sizeof *broad->hits);
    fnd_release(env, broad->pairs, (size_t)broad->pair_capacity * sizeof *broad->pairs);
    fnd_release(env, broad->fresh, (size_t)broad->fresh_capacity * sizeof *broad->fresh);
    fnd_release(env, broad->scratch, (size_t)broad->scratch_capacity * sizeof *broad->scratch);
    fnd_release(env, broad->removed, (size_t)broad->removed_capacity * sizeof *broad->removed);
    fnd_release(env, broad->added, (size_t)broad->added_capacity * sizeof *broad->added);
    *broad = (fnd_broad_phase){0};
}

/* Does the volume reach below the plane of a half space? Rounding counts for it. */
static bool reaches(const fnd_volume *half_space, const fnd_volume *v)
{
    if (!(v->radius < INFINITY)) return true;
    const double n[] = {half_space->normal.x, half_space->normal.y, half_space->normal.z};
    double least = 0, size = fabs(half_space->offset);
    for (int k = 0; k < 3; k++) {
        double corner = n[k] * (n[k] > 0 ? v->box.lower[k] : v->box.upper[k]);
        least += corner;
        size += fabs(corner);
    }
    double ball = fender_vec3_dot(half_space->normal, v->center) - v->radius, grain = 1e-15 * size;
    return least <= half_space->offset + grain && ball <= half_space->offset + grain;
}

bool fnd_volumes_overlap(const fnd_volume *a, const fnd_volume *b)
{
    if (!fnd_boxes_overlap(&a->box, &b->box)) return false;
    fender_vec3 d = fender_vec3_sub(a->center, b->center);
    double r = a->radius + b->radius;
    if (!(fender_vec3_dot(d, d) <= r * r)) return false;
    return (!a->half_space || reaches(a, b)) && (!b->half_space || reaches(b, a));
}

void fnd_broad_phase_change(fnd_broad_phase *broad, int index, enum fnd_volume_change change)
{
    if (broad->changed[index] == FND_VOLUME_KEPT) broad->changes[broad->change_count++] = (uint32_t)index;
    if (broad->changed[index] < change) broad->changed[index] = (unsigned char)change;
}

static bool has_end(const fnd_box *box)
{
    bool finite = true;
    for (int k = 0; k < 3; k++) finite = finite && fabs(box->lower[k]) <= 1e100 && fabs(box->upper[k]) <= 1e100;
    return finite;
}

/* Brings the trees, and the list of what is in none, up to date. */
static void place_changes(fnd_broad_phase *broad)
{
    bool many = broad->change_count > broad->count / 4;
    for (int c = 0; c < broad->change_count; c++) {
        int i = (int)broad->changes[c];
        const fnd_volume *v = &broad->volumes[i];
        if (fnd_box_tree_holds(&broad->tree, i)) {
            if (many) broad->tree.nodes[i].height = -1; /* the trees are made anew */
            else fnd_box_tree_remove(&broad->tree, broad->which[i], i);
        }
        broad->which[i] = v->still;
        if (!v->present || !has_end(&v->box)) continue;
        if (many) broad->tree.nodes[i] = (fnd_tree_node){v->box, -1, {-1, -1}, 0};
        else fnd_box_tree_insert(&broad->tree, v->still, i, &v->box);
    }
    if (many) fnd_box_tree_rebuild(&broad->tree, broad->which);
    int loose = 0;
    for (int l = 0; l < broad->loose_count; l++)
        if (broad->changed[broad->loose[l]] == FND_VOLUME_KEPT) broad->loose[loose++] = broad->loose[l];
    for (int c = 0; c < broad->change_count; c++) {
        const fnd_volume *v = &broad->volumes[broad->changes[c]];
        if (v->present && !has_end(&v->box)) broad->loose[loose++] = broad->changes[c];
    }
    broad->loose_count = loose;
}

/* Notes the pair, once also when both have changed. */
static bool note(const fender_env *env, fnd_broad_phase *broad, uint32_t one, uint32_t other)
{
    const fnd_volume *a = &broad->volumes[one], *b = &broad->volumes[other];
    if (one == other || (a->still && b->still) || (broad->changed[other] && other < one) || !fnd_volumes_overlap(a, b))
        return true;
    void *fresh = broad->fresh;
    if (!fnd_reserve_one_more(env, &fresh, &broad->fresh_capacity, broad->fresh_count, sizeof *broad->fresh))
        return false;
    broad->fresh = fresh;
    uint32_t low = one < other ? one : other, high = one < other ? other : one;
    broad->fresh[broad->fresh_count++] = (uint64_t)low << 32 | high;
    return true;
}

/* Pairs that the volume makes now. */
static bool look_around(const fender_env *env, fnd_broad_phase *broad, uint32_t index)
{
    const fnd_volume *v = &broad->volumes[index];
    if (!v->present) return true;
    if (!fnd_box_tree_holds(&broad->tree, (int)index)) { /* without end: against all */
        for (int i = 0; i < broad->count; i++)
            if (broad->volumes[i].present && !note(env, broad, index, (uint32_t)i)) return false;
        return true;
    }
    for (int t = 0; t <= !v->still; t++) {
        int count = fnd_box_tree_query(&broad->tree, t, &v->box, broad->hits);
        for (int i = 0; i < count; i++)
            if (!note(env, broad, index, broad->hits[i])) return false;
    }
    for (int l = 0; l < broad->loose_count; l++)
        if (!note(env, broad, index, broad->loose[l])) return false;
    return true;
}

/* Which old pairs go, which new ones come: two sorted lists side by side. What comes is moved to the front of `fresh`.
 */
static bool compare_lists(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    void *removed = broad->removed, *added = broad->added;
    bool ok = fnd_reserve(env, &removed, &broad->removed_capacity, broad->pair_count, sizeof *broad->removed);
    broad->removed = removed;
    ok = ok && fnd_reserve(env, &added, &broad->added_capacity, broad->fresh_count, sizeof *broad->added);
    broad->added = added;
    if (!ok) return false;
    broad->removed_count = broad->added_count = 0;
    int f = 0;
    for (int p = 0; p <= broad->pair_count; p++) {
        uint64_t old = p < broad->pair_count ? broad->pairs[p] : UINT64_MAX;
        unsigned char change = 0;
        if (p < broad->pair_count) {
            unsigned char low = broad->changed[old >> 32], high = broad->changed[(uint32_t)old];
            change = low > high ? low : high;
            if (!change) continue; /* new pairs are put in at the next that has changed, or at the end */
        }
        for (; f < broad->fresh_count && broad->fresh[f] < old; f++) {
            uint64_t pair = broad->fresh[f];
            if (eligible(ctx, (int)(pair >> 32), (int)(uint32_t)pair)) broad->fresh[broad->added_count++] = pair;
        }
        if (p == broad->pair_count) break;
        bool again = f < broad->fresh_count && broad->fresh[f] == old;
        if (again && change == FND_VOLUME_MOVED) f++;
        else broad->removed[broad->removed_count++] = (uint32_t)p;
    }
    return true;
}

/* Where the new pairs stand in the new list. */
static void find_places(fnd_broad_phase *broad)
{
    int r = 0, p = 0;
    for (int k = 0; k < broad->added_count; k++) {
        if (p < broad->pair_count && broad->pairs[p] < broad->fresh[k]) { /* bisection: there are few */
            int low = p, high = broad->pair_count;
            while (low < high) {
                int middle = low + (high - low) / 2;
                if (broad->pairs[middle] < broad->fresh[k]) low = middle + 1;
                else high = middle;
            }
            p = low;
        }
        while (r < broad->removed_count && (int)broad->removed[r] < p) r++;
        int kept = p - r;
        broad->added[k] = (uint32_t)(kept + k);
    }
}

void fnd_rows_edit(void *rows, size_t size, int count, const fnd_broad_phase *broad)
{
    char *base = rows;
    size_t end = (size_t)count;
    if (broad->removed_count > 0) {
        size_t to = broad->removed[0];
        for (int k = 0; k < broad->removed_count; k++) {
            size_t from = (size_t)broad->removed[k] + 1;
            size_t next = k + 1 < broad->removed_count ? broad->removed[k + 1] : (size_t)count;
            memmove(base + to * size, base + from * size, (next - from) * size);
            to += next - from;
        }
        end = to;
    }
    size_t until = end + (size_t)broad->added_count;
    for (int k = broad->added_count - 1; k >= 0; k--) {
        size_t after = (size_t)broad->added[k] + 1, run = until - after;
        end -= run;
        memmove(base + after * size, base + end * size, run * size);
        until = after - 1;
    }
}

/* Puts the changes into the list. */
static bool edit_pairs(const fender_env *env, fnd_broad_phase *broad)
{
    int count = broad->pair_count - broad->removed_count + broad->added_count;
    void *pairs = broad->pairs;
    if (!fnd_reserve(env, &pairs, &broad->pair_capacity, count, sizeof *broad->pairs)) return false;
    broad->pairs = pairs;
    find_places(broad);
    fnd_rows_edit(broad->pairs, sizeof *broad->pairs, broad->pair_count, broad);
    for (int k = 0; k < broad->added_count; k++) broad->pairs[broad->added[k]] = broad->fresh[k];
    broad->pair_count = count;
    return true;
}

static bool find_pairs(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    broad->fresh_count = 0;
    for (int c = 0; c < broad->change_count; c++)
        if (!look_around(env, broad, broad->changes[c])) return false;
    void *scratch = broad->scratch;
    if (!fnd_reserve(env, &scratch, &broad->scratch_capacity, broad->fresh_count, sizeof *broad->scratch)) return false;
    broad->scratch = scratch;
    fnd_sort_by_key(broad->fresh, broad->scratch, broad->fresh_count);
    return compare_lists(env, broad, eligible, ctx) && edit_pairs(env, broad);
}

bool fnd_broad_phase_update(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    if (!broad->valid) {
        broad->pair_count = 0;
        for (int i = 0; i < broad->count; i++) fnd_broad_phase_change(broad, i, FND_VOLUME_ANEW);
    }
    place_changes(broad);
    broad->valid = find_pairs(env, broad, eligible, ctx);
    for (int c = 0; c < broad->change_count; c++) broad->changed[broad->changes[c]] = FND_VOLUME_KEPT;
    broad->change_count = 0;
    return broad->valid;
}
