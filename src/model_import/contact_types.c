/* Contact types that stand for the surfaces of a model. */
#include "model_import/contact_types.h"

#include "model_import/link_springs.h"

#include "support/number.h"

#include <math.h>
#include <string.h>

fnd_model_surface fnd_model_mix_surfaces(const fnd_model_surface *a, const fnd_model_surface *b)
{
    if (a->priority != b->priority) return a->priority > b->priority ? *a : *b;
    fnd_model_surface s = *a;
    double sum = a->solmix + b->solmix, part = sum > 1e-15 ? a->solmix / sum : 0.5;
    if (a->solmix < 1e-15 && b->solmix >= 1e-15) part = 0;
    for (int i = 0; i < 3; i++) s.friction[i] = a->friction[i] > b->friction[i] ? a->friction[i] : b->friction[i];
    bool standard = a->solref[0] > 0 && b->solref[0] > 0;
    for (int i = 0; i < 2; i++)
        s.solref[i] = standard                      ? part * a->solref[i] + (1 - part) * b->solref[i]
                      : a->solref[i] < b->solref[i] ? a->solref[i]
                                                    : b->solref[i];
    for (int i = 0; i < 5; i++) s.solimp[i] = part * a->solimp[i] + (1 - part) * b->solimp[i];
    s.condim = a->condim > b->condim ? a->condim : b->condim;
    return s;
}

/* Of the contact of two clusters: spring and damper that have the impact of MuJoCo's constraint, with the reduced mass;
 * for URDF, which says nothing of contacts, 5 mm under the weight of the whole robot and 0.3 of
 * critical damping. */
static fnd_model_contact_type type_of(const fnd_model *model, const fnd_model_surface *s, double mass)
{
    fnd_model_contact_type t = {.mass = mass, .condim = s->condim};
    t.varies = model->soft_contact && fnd_model_impedance_varies(s);
    memcpy(t.friction, s->friction, sizeof t.friction);
    if (!model->soft_contact) {
        t.mass = mass = model->total_mass;
        t.friction[0] = 0.5;
        t.stiffness = mass * 9.81 / 5e-3;
        t.damping = 0.6 * sqrt(t.stiffness * mass);
        return t;
    }
    if (s->solref[0] > 0) {
        double time = s->solref[0], least = 2 * model->step;
        if (time < least && !model->keep_short_time) time = least;
        t.stiffness = mass / time / time / s->solref[1] / s->solref[1];
        t.damping = 2 * mass / time;
    } else {
        t.stiffness = -mass * s->solref[0];
        t.damping = -mass * s->solref[1];
    }
    return t;
}

static int find_type(fnd_model *model, fnd_model_contact_types *types, fnd_model_contact_type t, const char *a,
                     const char *b)
{
    for (int i = 0; i < types->count; i++) {
        const fnd_model_contact_type *k = &types->list[i];
        if (k->stiffness == t.stiffness && k->damping == t.damping && k->condim == t.condim &&
            memcmp(k->friction, t.friction, sizeof t.friction) == 0)
            return i;
    }
    if (types->count == types->capacity) {
        int capacity = types->capacity == 0 ? 16 : 2 * types->capacity;
        fnd_model_contact_type *more = fnd_model_keep(model, (size_t)capacity, sizeof *more);
        if (!more) return -1;
        if (types->count > 0) memcpy(more, types->list, (size_t)types->count * sizeof *more);
        types->list = more;
        types->capacity = capacity;
    }
    t.name = fnd_phrase_make("%.26s_on_%.26s", a, b);
    for (int i = 0; i < types->count; i++)
        if (strcmp(types->list[i].name.text, t.name.text) == 0) {
            t.name = fnd_phrase_make("%.24s_on_%.24s_%d", a, b, types->count);
            break;
        }
    types->list[types->count] = t;
    return types->count++;
}

static fnd_phrase rounded(double value, const char *unit)
{
    char digits[FND_NUMBER_SIZE];
    (void)fnd_number_format_digits(value, 4, digits, sizeof digits);
    return fnd_phrase_make("%s %s", digits, unit);
}

/* A spring has no variable impedance: says so, once for each type, and what it changes at rest on a fixed body. */
static void warn_of_impedance(fnd_model *model, const fnd_model_contact_type *t, const fnd_model_surface *s, bool rests,
                              const fnd_location *location)
{
    const double weight = rests ? t->mass * fender_vec3_length(model->gravity) : 0;
    const double sunk = weight / t->stiffness, rest = fnd_model_impedance_rest(s, sunk);
    fnd_phrase says = fnd_phrase_make("'solimp' of contact type '%.60s' varies over its width, its spring does not",
                                      t->name.text);
    fnd_phrase remedy = fnd_phrase_make("MuJoCo's contact is softer where its impedance is lower");
    if (weight > 0) {
        says = fnd_phrase_make("%.160s: at rest it is %s deep, in MuJoCo %s", says.text, rounded(1e3 * sunk, "mm").text,
                               rounded(1e3 * rest, "mm").text);
        remedy = fnd_phrase_make("stiffness %s has the depth at rest", rounded(weight / rest, "N/m").text);
    }
    fnd_model_warn(model, location, says.text, remedy.text);
}

/* A link's foot, which is lighter than what rests on it, gives way by itself, and under friction by turning, too (as a
 * ball does). At rest, friction is a damper of mu times the weight over the slip speed. */
static void note_step(fnd_model_contact_types *types, const fnd_model_contact_type *t,
                      const fnd_model_body *const clusters[2], double weight)
{
    double give = 0;
    if (!clusters[0]->motion && !clusters[1]->motion) return;
    for (int i = 0; i < 2; i++)
        if (!clusters[i]->fixed) give += 1 / clusters[i]->cluster_mass;
    const double slip = t->condim >= 3 ? t->friction[0] * weight / FND_MODEL_SLIP_SPEED : 0;
    types->step = fmin(types->step, fnd_model_half_of_stable(t->stiffness, t->damping, give, give));
    types->step = fmin(types->step, fnd_model_half_of_stable(0, slip, 0, 3.5 * give));
}

int fnd_model_add_contact_type(fnd_model *model, fnd_model_contact_types *types, const fnd_model_surface *surface,
                               const fnd_model_body *const clusters[2], const char *const names[2],
                               const fnd_location *location)
{
    const bool rests = clusters[0]->fixed || clusters[1]->fixed;
    const fnd_model_contact_type t = type_of(model, surface, fnd_model_reduced_contact_mass(clusters[0], clusters[1]));
    const double weight = t.mass * fender_vec3_length(model->gravity), sunk = weight / t.stiffness;
    note_step(types, &t, clusters, weight);
    if (sunk > 0) types->least = fmin(types->least, fnd_model_impedance_rest(surface, sunk) / sunk);
    const int count = types->count, found = find_type(model, types, t, names[0], names[1]);
    if (found < 0) return found;
    fnd_model_contact_type *kept = &types->list[found];
    if (t.varies && (found == count || !kept->varies)) warn_of_impedance(model, kept, surface, rests, location);
    kept->varies = kept->varies || t.varies;
    return found;
}

bool fnd_model_may_touch(const fnd_model *model, const fnd_model_material *a, const fnd_model_material *b)
{
    const fnd_model_body *ca = a->cluster, *cb = b->cluster;
    if (ca == cb || (ca->fixed && cb->fixed) || model->pairs_only) return false;
    if (!(a->surface.contype & b->surface.conaffinity) && !(b->surface.contype & a->surface.conaffinity)) return false;
    if (model->touch_parents) return true;
    bool a_below = ca->link && ca->parent->cluster == cb, b_below = cb->link && cb->parent->cluster == ca;
    if (a_below && (!cb->fixed || !model->soft_contact)) return false;
    return !(b_below && (!ca->fixed || !model->soft_contact));
}
