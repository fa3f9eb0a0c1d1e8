/* How a contact lies and moves: its frame, carried on from step to step, slip and spin, running surfaces. */
#include "contact/contact_set.h"

#include "math/rotation.h"
#include <string.h>

void fnd_shapes_place_pair(const fnd_shape *a, const fnd_shape *b, const fnd_frame *frame_a, const fnd_frame *frame_b,
                           fnd_placed *placed_a, fnd_placed *placed_b)
{
    placed_a->geometry = a->geometry;
    placed_a->p_WG = a->centered ? fender_vec3_make(0, 0, 0) : fender_mat3_times(&frame_a->R_WB, a->p_BG);
    placed_a->R_WG = fnd_shape_rotation(a, frame_a);
    placed_b->geometry = b->geometry;
    placed_b->p_WG = fender_vec3_sub(frame_b->p, frame_a->p);
    if (!b->centered) placed_b->p_WG = fender_vec3_add(placed_b->p_WG, fender_mat3_times(&frame_b->R_WB, b->p_BG));
    placed_b->R_WG = fnd_shape_rotation(b, frame_b);
}

static bool same_vector(fender_vec3 u, fender_vec3 v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

static bool same_rotation(fender_quaternion p, fender_quaternion q)
{
    return p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

/* Half the angle by which a body has turned about n since: see fnd_half_twist. */
static void half_twist(const fnd_frame *frame, fender_quaternion since, fender_vec3 n, double *cosine, double *sine)
{
    *cosine = 1;
    *sine = 0;
    if (same_rotation(frame->q, since)) return;
    fnd_half_twist(fender_quaternion_product(frame->q, fender_quaternion_conjugate(since)), n, cosine, sine);
}

/* Tangent of C: from the last accepted frame by the least rotation of the normal and the mean spin of both bodies about
 * it. The half twists of the two bodies add up to the mean angle, so no angle is ever formed. */
static fender_vec3 carried_tangent(const fnd_record *record, fender_vec3 normal, const fnd_frame *frame_a,
                                   const fnd_frame *frame_b, fender_quaternion since_a, fender_quaternion since_b)
{
    /* at the accepted state itself: to the bit what was accepted, so that evaluating it again changes nothing */
    if (same_vector(normal, record->normal) && same_rotation(frame_a->q, since_a) && same_rotation(frame_b->q, since_b))
        return record->tangent;
    fender_vec3 x = fnd_least_rotation(record->normal, normal, record->tangent);
    double ca, sa, cb, sb;
    half_twist(frame_a, since_a, normal, &ca, &sa);
    half_twist(frame_b, since_b, normal, &cb, &sb);
    double c = ca * cb - sa * sb, s = sa * cb + ca * sb;
    fender_vec3 y = fender_vec3_cross(normal, x);
    x = fender_vec3_add(fender_vec3_scale(c, x), fender_vec3_scale(s, y));
    x = fender_vec3_add_scaled(x, -fender_vec3_dot(x, normal), normal); /* rounding does not add up over steps */
    return fender_vec3_scale(1.0 / fender_vec3_length(x), x);
}

/* How the bodies move at the contact's place, in its frame. */
static void fill_motion(fnd_contact *c, const fnd_frame *frame_a, const fnd_frame *frame_b)
{
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    fender_vec3 velocity = fender_vec3_sub(fender_vec3_add(frame_b->v, fender_vec3_cross(frame_b->w, c->lever_b)),
                                           fender_vec3_add(frame_a->v, fender_vec3_cross(frame_a->w, c->lever_a)));
    fender_vec3 spin = fender_vec3_sub(frame_b->w, frame_a->w);
    c->in.depth_rate = -c->gain * fender_vec3_dot(velocity, c->normal);
    c->in.slip = (fender_vec2){fender_vec3_dot(velocity, c->tangent), fender_vec3_dot(velocity, y)};
    c->in.spin = fender_vec3_make(fender_vec3_dot(spin, c->tangent), fender_vec3_dot(spin, y),
                                  fender_vec3_dot(spin, c->normal));
}

void fnd_contact_add_drive(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                           fnd_contact *c)
{
    const fnd_shape *shapes[2] = {&model->shapes[c->key.a], &model->shapes[c->key.b]};
    const fnd_frame *frames[2] = {frame_a, frame_b};
    const fender_vec3 levers[2] = {c->lever_a, c->lever_b};
    c->driven = shapes[0]->runs || shapes[1]->runs;
    if (!c->driven) return;
    fender_vec3 run = {0, 0, 0}, spin = {0, 0, 0}, y = fender_vec3_cross(c->normal, c->tangent);
    for (int i = 0; i < 2; i++) {
        if (!shapes[i]->runs) continue;
        double sign = i == 0 ? -1 : 1;
        fender_mat3 R_WG = fnd_shape_rotation(shapes[i], frames[i]);
        fender_vec3 w = fender_mat3_times(&R_WG, shapes[i]->spinning), v = fender_mat3_times(&R_WG, shapes[i]->running);
        fender_vec3 arm = fender_vec3_sub(levers[i], fender_mat3_times(&frames[i]->R_WB, shapes[i]->p_BG));
        run = fender_vec3_add_scaled(run, sign, fender_vec3_add(v, fender_vec3_cross(w, arm)));
        spin = fender_vec3_add_scaled(spin, sign, w);
    }
    c->drive = (fender_vec2){fender_vec3_dot(run, c->tangent), fender_vec3_dot(run, y)};
    c->drive_spin = fender_vec3_make(fender_vec3_dot(spin, c->tangent), fender_vec3_dot(spin, y),
                                     fender_vec3_dot(spin, c->normal));
    c->in.slip = (fender_vec2){c->in.slip.x + c->drive.x, c->in.slip.y + c->drive.y};
    c->in.spin = fender_vec3_add(c->in.spin, c->drive_spin);
}

void fnd_contact_move(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                      fnd_contact *c)
{
    fill_motion(c, frame_a, frame_b);
    fnd_contact_add_drive(model, frame_a, frame_b, c);
}

void fnd_contact_place(fnd_contact *c, const fender_separation *separation, fender_vec3 origin,
                       const fnd_record *record, const fender_quaternion *since, const fnd_frame *frame_a,
                       const fnd_frame *frame_b)
{
    fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(separation->point_a, separation->point_b));
    c->normal = fender_vec3_make(separation->normal.x, separation->normal.y, separation->normal.z); /* see below */
    c->lever_a = fender_vec3_add(origin, middle);
    c->lever_b = fender_vec3_sub(c->lever_a, fender_vec3_sub(frame_b->p, frame_a->p));
    c->tangent = record ? carried_tangent(record, c->normal, frame_a, frame_b, since[c->body_a], since[c->body_b])
                        : fnd_any_tangent(c->normal);
    c->gain = 1 + separation->slant;
    c->in.depth = -separation->distance;
    c->in.weight = separation->weight;
    c->in.area = separation->area;
    c->in.index = separation->index;
    fill_motion(c, frame_a, frame_b);
}

void fnd_contact_carry(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                       const fnd_record *record, fnd_contact *c)
{
    int a = model->shapes[c->key.a].root, b = model->shapes[c->key.b].root;
    const fnd_frame *frame_a = &frames[a], *frame_b = &frames[b];
    c->tangent = carried_tangent(record, c->normal, frame_a, frame_b, set->since[a], set->since[b]);
    fnd_contact_move(model, frame_a, frame_b, c);
}

void fnd_contact_of_separation(const fnd_candidate *pair, const fender_separation *separation, fender_vec3 origin,
                               const fnd_frame *frame_a, const fnd_frame *frame_b, fnd_contact *out)
{
    memset(out, 0, sizeof *out);
    out->key = (fnd_key){pair->a, pair->b, separation->feature};
    out->type = pair->type;
    out->body_a = pair->body_a;
    out->body_b = pair->body_b;
    out->record = -1;
    fnd_contact_place(out, separation, origin, NULL, NULL, frame_a, frame_b);
}

bool fnd_contact_probe_pair(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b, int a,
                            int b, fnd_contact *out)
{
    const fnd_shape *shape_a = &model->shapes[a], *shape_b = &model->shapes[b];
    fnd_pair_entry entry = fnd_pair_find(shape_a->geometry, shape_b->geometry);
    if (!entry.function) return false;
    fnd_placed placed_a, placed_b;
    fnd_shapes_place_pair(shape_a, shape_b, frame_a, frame_b, &placed_a, &placed_b);
    fender_separation separation;
    fnd_manifold one = {.items = &separation, .capacity = 1};
    fnd_query query = {FND_QUERY_DISTANCE, INFINITY, NULL};
    fnd_pair_evaluate(&entry, &placed_a, &placed_b, &query, &one);
    if (one.count < 1) return false;
    memset(out, 0, sizeof *out);
    out->key = (fnd_key){(uint32_t)a, (uint32_t)b, separation.feature};
    out->body_a = shape_a->root;
    out->body_b = shape_b->root;
    out->record = -1;
    fnd_contact_place(out, &separation, placed_a.p_WG, NULL, NULL, frame_a, frame_b);
    return true;
}

bool fnd_contact_probe(const fnd_contact_model *model, const fnd_frame *frames, int a, int b, fnd_contact *out)
{
    return fnd_contact_probe_pair(model, &frames[model->shapes[a].root], &frames[model->shapes[b].root], a, b, out);
}
