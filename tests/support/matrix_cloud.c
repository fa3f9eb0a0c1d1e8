/* The matrix under test: clouds, whose points are contacts each of its own. */
#include "check.h"
#include "matrix.h"

#include <stdlib.h>

enum { MOST = 24 };

static bool same_vector(fender_vec3 x, fender_vec3 y) { return x.x == y.x && x.y == y.y && x.z == y.z; }

/* The pair with one point of the cloud in its place. */
static oracle_pair with_point(const oracle_pair *pair, bool cloud_is_a, int index, oracle_shape *point)
{
    oracle_pair one = *pair;
    *point = cloud_is_a ? *pair->a : *pair->b;
    point->points += index, point->count = 1;
    *(cloud_is_a ? &one.a : &one.b) = point;
    return one;
}

void matrix_check_cloud(const matrix_case *c, const char *label, int number, matrix_tally *t)
{
    fender_separation list[MOST], mirrored[MOST], nearest = {0};
    bool is_a = fender_geometry_type_of(c->a->geometry) == FENDER_GEOMETRY_CLOUD;
    int count = is_a ? c->a->shape.count : c->b->shape.count, found = 0, turned = 0;
    t->poses++;
    const double all = 1e6; /* m: more than any of these poses spans */
    fender_status status = fender_geometry_contacts(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB,
                                                    FENDER_CONTACT_POINTS_SINGLE, all, list, MOST, &found);
    fender_status other = fender_geometry_contacts(c->b->geometry, &c->X_WB, c->a->geometry, &c->X_WA,
                                                   FENDER_CONTACT_POINTS_SINGLE, all, mirrored, MOST, &turned);
    fender_status one = fender_geometry_separation(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB, &nearest);
    bool whole = status == FENDER_STATUS_OK && other == FENDER_STATUS_OK && one == FENDER_STATUS_OK && found == count &&
                 turned == count;
    matrix_require(c, label, number, t, "a contact for every point, in both orders; missing", whole ? 0 : 1, 0,
                   &nearest);
    if (!whole) return;
    oracle_pair pair;
    oracle_pair_place(&pair, &c->a->shape, &c->X_WA, &c->b->shape, &c->X_WB);
    int least = 0, within = 0, touching = 0;
    for (int i = 0; i < count; i++) {
        oracle_shape point;
        oracle_pair p = with_point(&pair, is_a, i, &point);
        matrix_judge(c, label, number, t, &p, &list[i]);
        *(list[i].distance < 0 ? &t->overlapping : &t->apart) += 1;
        bool named = list[i].index == i && list[i].feature == (uint64_t)i && list[i].weight == 1 && list[i].area == 0 &&
                     !list[i].weight_fades;
        matrix_require(c, label, number, t, "index, feature, weight of a point", named ? 0 : 1, 0, &list[i]);
        bool mirror = mirrored[i].distance == list[i].distance && mirrored[i].index == i &&
                      same_vector(mirrored[i].normal, fender_vec3_negate(list[i].normal));
        matrix_require(c, label, number, t, "mirrored answer differs", mirror ? 0 : 1, 0, &list[i]);
        if (list[i].distance < list[least].distance) least = i;
        touching += list[i].distance <= 0;
    }
    bool is_least = nearest.distance == list[least].distance && same_vector(nearest.normal, list[least].normal) &&
                    nearest.index == list[least].index;
    matrix_require(c, label, number, t, "the distance is that of the nearest point", is_least ? 0 : 1, 0, &nearest);
    status = fender_geometry_contacts(c->a->geometry, &c->X_WA, c->b->geometry, &c->X_WB, FENDER_CONTACT_POINTS_PATCH,
                                      0, list, MOST, &within);
    matrix_require(c, label, number, t, "contacts within reach 0, too many or too few",
                   status == FENDER_STATUS_OK ? abs(within - touching) : 1, 0, &nearest);
}
