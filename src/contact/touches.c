/* Several touches of one ball with a surface: which of them goes on with which record.
 *
 * A query numbers touches in the order of their normals. A facet that comes or goes changes these numbers, and a
 * mirrored scene has them in another order. A record therefore goes on with the touch whose normal is nearest to its
 * own, which has turned with the surface since the last accepted state. */
#include "contact/touches.h"

#include <assert.h>
#include <string.h>

/* Touches of one ball in the manifold, and the records of such, in the order of their features. */
typedef struct block {
    fender_separation *items;
    const fnd_record *records[FND_TOUCHES];
    fender_vec3 normals[FND_TOUCHES]; /* of the records, at the present attitude of the surface */
    uint64_t first;                   /* feature */
    int count, record_count;
    int of_item[FND_TOUCHES]; /* index of its record; -1: none yet */
    bool taken[FND_TOUCHES];  /* the record has its touch */
} block;

static void find_records(const fnd_contact_set *set, const fnd_candidate *pair, int from, block *b)
{
    const fnd_record_list *records = &set->records;
    const fnd_key first = {pair->a, pair->b, b->first};
    b->record_count = 0;
    for (int i = fnd_record_list_find(records, from, &first); i < records->count; i++) {
        const fnd_record *record = fnd_record_at(records, i);
        if (record->key.a != pair->a || record->key.b != pair->b) return;
        if (record->key.feature - b->first >= FND_TOUCHES) return;
        b->records[b->record_count++] = record;
    }
}

/* Normals of the records, turned with the surface's body since the last accepted state. */
static void turn_normals(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_candidate *pair,
                         const fnd_frame *frame_a, const fnd_frame *frame_b, block *b)
{
    const bool first = model->shapes[pair->a].geometry->surface != NULL;
    const fnd_frame *frame = first ? frame_a : frame_b;
    const fender_quaternion then = set->since[first ? pair->body_a : pair->body_b];
    const fender_quaternion turn = fender_quaternion_product(frame->q, fender_quaternion_conjugate(then));
    const fender_mat3 R = fender_quaternion_matrix(turn);
    for (int i = 0; i < b->record_count; i++) b->normals[i] = fender_mat3_times(&R, b->records[i]->normal);
}

static double square_between(fender_vec3 m, fender_vec3 n)
{
    const fender_vec3 d = fender_vec3_sub(m, n);
    return fender_vec3_dot(d, d);
}

/* Pairs of a touch and a record, the nearest normals first, until one of both is used up. */
static void match(block *b)
{
    const int pairs = b->count < b->record_count ? b->count : b->record_count;
    for (int n = 0; n < pairs; n++) {
        int item = -1, record = -1;
        double least = INFINITY;
        for (int i = 0; i < b->count; i++)
            for (int r = 0; r < b->record_count && b->of_item[i] < 0; r++) {
                const double square = b->taken[r] ? INFINITY : square_between(b->items[i].normal, b->normals[r]);
                if (!(square < least)) continue;
                least = square;
                item = i;
                record = r;
            }
        assert(item >= 0 && record >= 0);
        b->of_item[item] = record;
        b->taken[record] = true;
    }
}

/* The lowest feature of the block from this one on that no record has. */
static uint64_t free_feature(const block *b, uint64_t feature)
{
    for (int r = 0; r < b->record_count; r++) /* they are in order */
        if (b->records[r]->key.feature == feature) feature++;
    return feature;
}

static void sort(block *b)
{
    for (int i = 1; i < b->count; i++) {
        const fender_separation one = b->items[i];
        int at = i;
        for (; at > 0 && b->items[at - 1].feature > one.feature; at--) b->items[at] = b->items[at - 1];
        b->items[at] = one;
    }
}

static void name_block(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_candidate *pair,
                       const fnd_frame *frame_a, const fnd_frame *frame_b, block *b)
{
    if (b->record_count == 0) return;
    if (b->count == 1 && b->record_count == 1) {
        b->items[0].feature = b->records[0]->key.feature;
        return;
    }
    for (int i = 0; i < b->count; i++) b->of_item[i] = -1;
    memset(b->taken, 0, sizeof b->taken);
    turn_normals(set, model, pair, frame_a, frame_b, b);
    match(b);
    uint64_t next = b->first;
    for (int i = 0; i < b->count; i++) {
        if (b->of_item[i] < 0) next = free_feature(b, next);
        b->items[i].feature = b->of_item[i] < 0 ? next++ : b->records[b->of_item[i]]->key.feature;
    }
    sort(b);
}

void fnd_touches_name(fnd_contact_set *set, const fnd_contact_model *model, const fnd_candidate *pair,
                      const fnd_frame *frame_a, const fnd_frame *frame_b, int from)
{
    const fnd_manifold *found = &set->manifold;
    for (int i = 0; i < found->count;) {
        block b;
        b.items = &found->items[i];
        b.first = b.items->feature / FND_TOUCHES * FND_TOUCHES;
        b.count = 1;
        if (!b.items->shared) {
            i++;
            continue;
        }
        while (i + b.count < found->count && b.items[b.count].feature - b.first < FND_TOUCHES) b.count++;
        assert(b.count <= FND_TOUCHES);
        find_records(set, pair, from, &b);
        name_block(set, model, pair, frame_a, frame_b, &b);
        i += b.count;
    }
}
