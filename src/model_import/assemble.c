/* From the neutral model to what a scenario can say: positions of joints, welds, bodies without mass, bodies that move
 * together, names, materials. */
#include "model_import/mobility.h"

#include <fender/advice.h>

#include "support/file.h"
#include "support/io_error.h"
#include "support/number.h"

#include <string.h>

/* ---- joints */

static const fender_model_joint *given_position(fnd_model *model, const char *name)
{
    const fender_model_joint *given = NULL;
    for (int i = 0; i < model->options->joint_count && name[0]; i++)
        if (strcmp(model->options->joints[i].name, name) == 0) given = &model->options->joints[i];
    return given;
}

/* An angle for a slide, or a length for a hinge, is a joint taken for another. */
static void check_unit(fnd_model *model, const fender_model_joint *given, const fnd_model_joint *joint)
{
    const bool slide = joint->kind == FND_MODEL_SLIDE;
    const char *unit = slide ? "m" : "rad";
    if (!given->unit || strcmp(given->unit, unit) == 0) return;
    fnd_model_error(model, NULL, FENDER_STATUS_UNIT,
                    fnd_phrase_make(slide ? "--joint: '%.60s' is a slide, which takes a length"
                                          : "--joint: '%.60s' is a hinge, which takes an angle",
                                    given->name)
                        .text,
                    slide ? "an angle" : "a length", slide ? "a length: lift=20cm" : "an angle: knee=30deg", "");
}

static void place_joints(fnd_model *model)
{
    for (int i = 0; i < model->options->joint_count; i++) {
        const char *wanted = model->options->joints[i].name;
        fnd_nearest search = fnd_nearest_begin(wanted, strlen(wanted));
        bool found = false;
        for (const fnd_model_body *b = model->bodies; b && !found; b = b->next)
            for (const fnd_model_joint *j = b->joints; j && !found; j = j->next) {
                found = strcmp(j->original, wanted) == 0 && (j->kind == FND_MODEL_HINGE || j->kind == FND_MODEL_SLIDE);
                if (found) check_unit(model, &model->options->joints[i], j);
                fnd_nearest_offer(&search, j->original);
            }
        if (!found)
            fnd_model_error(model, NULL, FENDER_STATUS_NAME,
                            fnd_phrase_make("--joint: no hinge or slide is named '%.60s'", wanted).text,
                            fnd_shown(wanted).text, "the name of a joint with one degree of freedom",
                            search.best ? fnd_phrase_make("did you mean '%.60s'?", search.best).text : "");
    }
    for (fnd_model_body *b = model->bodies; b; b = b->next)
        for (fnd_model_joint *j = b->joints; j; j = j->next) {
            const fender_model_joint *given = given_position(model, j->original);
            if (j->kind != FND_MODEL_HINGE && j->kind != FND_MODEL_SLIDE) continue;
            if (given) j->position = given->position;
            double value = j->reference + j->position;
            if (j->limited && (given || j->position != 0) && (value < j->lower || value > j->upper))
                fnd_model_warn(model, &j->location,
                               fnd_phrase_make("joint '%.60s' is placed at %s, outside its limits %s to %s",
                                               j->original, fnd_digits(value, "").text, fnd_digits(j->lower, "").text,
                                               fnd_digits(j->upper, "").text)
                                   .text,
                               "");
        }
}

/* From the reference: where a joint is placed, or where its spring is unloaded. */
static double place_of(const fnd_model_joint *j, bool unloaded)
{
    return unloaded && j->stiffness != 0 ? j->spring_reference - j->reference : j->position;
}

/* Pose in the parent with the joints up to `last` moved; NULL: all. */
static fender_pose moved_pose(const fnd_model_body *body, const fnd_model_joint *last, bool unloaded)
{
    fender_pose pose = body->pose;
    for (const fnd_model_joint *j = body->joints; j; j = j == last ? NULL : j->next) {
        const double value = place_of(j, unloaded);
        fender_pose move = fender_pose_identity();
        if (value == 0) continue;
        if (j->kind == FND_MODEL_SLIDE) move.p = fender_vec3_scale(value, j->axis);
        else if (j->kind == FND_MODEL_HINGE) {
            move.q = fnd_model_axis_angle(j->axis, value);
            move.p = fender_vec3_sub(j->anchor, fender_quaternion_rotate(move.q, j->anchor));
        }
        pose = fender_pose_product(pose, move);
        pose.q = fender_quaternion_normalized(pose.q);
    }
    return pose;
}

static fender_pose placed_pose(const fnd_model_body *body) { return moved_pose(body, NULL, false); }

static void place_bodies(fnd_model *model)
{
    for (fnd_model_body *b = model->bodies; b; b = b->next) {
        fender_pose pose = placed_pose(b);
        b->world = b->parent ? fender_pose_product(b->parent->world, pose) : pose;
        b->world.q = fender_quaternion_normalized(b->world.q);
    }
}

static bool along(fender_vec3 a, fender_vec3 b) { return fabs(fabs(fender_vec3_dot(a, b)) - 1) < 1e-9; }
static bool across(fender_vec3 a, fender_vec3 b) { return fabs(fender_vec3_dot(a, b)) < 1e-6; }

bool fnd_model_joint_frame(const fnd_model_body *body, fender_pose *frame, bool slides[3], bool turns[3])
{
    fender_vec3 axes[3];
    int count = 0;
    bool anchored = false;
    memset(slides, 0, 3 * sizeof slides[0]);
    memset(turns, 0, 3 * sizeof turns[0]);
    *frame = fender_pose_identity();
    for (const fnd_model_joint *j = body->joints; j; j = j->next) {
        if (j->kind != FND_MODEL_SLIDE) {
            if (anchored && fender_vec3_length(fender_vec3_sub(j->anchor, frame->p)) > 1e-9) return false;
            frame->p = j->anchor;
            anchored = true;
        }
        if (j->kind == FND_MODEL_BALL) {
            turns[0] = turns[1] = turns[2] = true;
            continue;
        }
        int at = 0;
        while (at < count && !along(axes[at], j->axis)) at++;
        if (at == count) {
            for (int i = 0; i < count; i++)
                if (!across(axes[i], j->axis)) return false;
            if (count == 3) return false;
            axes[count++] = j->axis;
        }
        if (j->kind == FND_MODEL_SLIDE) slides[at] = true;
        else turns[at] = true;
        if (j->kind == FND_MODEL_PLANAR) slides[(at + 1) % 3] = slides[(at + 2) % 3] = true;
    }
    if (count == 0) return true;
    fender_vec3 x = axes[0], trial = fabs(x.x) < 0.6 ? (fender_vec3){1, 0, 0} : (fender_vec3){0, 1, 0};
    fender_vec3 y = count > 1 ? axes[1] : trial;
    y = fender_vec3_add_scaled(y, -fender_vec3_dot(x, y), x);
    y = fender_vec3_scale(1 / fender_vec3_length(y), y);
    frame->q = fnd_model_from_axes(x, y, fender_vec3_cross(x, y)); /* a third axis is along z, either way */
    return true;
}

static const char *joint_phrase(const fnd_model_joint *joint, fnd_phrase *to)
{
    *to = joint->original[0] ? fnd_phrase_make("joint '%.60s'", joint->original) : fnd_phrase_make("this joint");
    return to->text;
}

static void hold(fnd_model *model, fnd_model_body *body, const char *why, const char *remedy)
{
    fnd_phrase name;
    body->link = false;
    for (const fnd_model_joint *j = body->joints; j; j = j->next) {
        model->report.rigid_joints++;
        fnd_model_warn(model, &j->location, fnd_phrase_make("%s is rigid here%s", joint_phrase(j, &name), why).text,
                       remedy);
    }
}

static void choose_links(fnd_model *model)
{
    for (fnd_model_body *b = model->bodies; b; b = b->next) {
        fender_pose frame;
        fnd_phrase name;
        bool slides[3], turns[3];
        if (b->joints && b->joints->kind == FND_MODEL_FREE) { /* a root of its own */
            b->pose = b->world;
            b->parent = NULL;
            memcpy(&b->velocity, &b->joints->speed[0], sizeof b->velocity);
            memcpy(&b->angular_velocity, &b->joints->speed[3], sizeof b->angular_velocity);
            b->joints = NULL;
        }
        if (!b->joints) continue;
        if (!model->options->bushings)
            hold(model, b, "", "--joints bushing makes it a link that is free along or about its axis");
        else if (!fnd_model_joint_frame(b, &frame, slides, turns))
            hold(model, b, ": the joints of its body have oblique axes or different anchors", "");
        else b->link = true;
        for (const fnd_model_joint *j = b->joints; j && b->link; j = j->next) {
            if (j->limited)
                fnd_model_warn(model, &j->location,
                               fnd_phrase_make("the limits of %s are left out", joint_phrase(j, &name)).text, "");
            if (j->speed[0] != 0)
                fnd_model_warn(model, &j->location,
                               fnd_phrase_make("the initial speed of %s is left out", joint_phrase(j, &name)).text, "");
        }
    }
}

/* The points of the link coincide where the springs of all joints are unloaded. The axes of slides stay as they are in
 * the parent: where hinges turn the body beside them, the child's point is turned back. */
static void place_ends(fnd_model_body *b, fender_pose frame)
{
    const fender_pose unloaded = moved_pose(b, NULL, true);
    const fnd_model_joint *slide = NULL;
    bool turned = false;
    b->ends[0]->pose = fender_pose_product(unloaded, frame);
    b->ends[1]->pose = frame;
    for (const fnd_model_joint *j = b->joints; j; j = j->next) {
        if (j->kind == FND_MODEL_SLIDE) slide = j;
        turned = turned || (j->kind == FND_MODEL_HINGE && (j->position != 0 || place_of(j, true) != 0));
    }
    if (!slide || !turned) return;
    const fender_quaternion axes = fender_quaternion_product(moved_pose(b, slide, false).q, frame.q);
    b->ends[0]->pose.q = fender_quaternion_normalized(axes);
    b->ends[1]->pose.q = fender_quaternion_normalized(
        fender_quaternion_product(fender_quaternion_conjugate(unloaded.q), axes));
}

static bool add_link_ends(fnd_model *model)
{
    for (fnd_model_body *b = model->bodies; b; b = b->next) {
        fender_pose frame;
        bool slides[3], turns[3];
        if (!b->link) continue;
        (void)fnd_model_joint_frame(b, &frame, slides, turns);
        const char *name = b->joints->original[0] ? b->joints->original : "joint";
        b->ends[0] = fnd_model_add_point(model, b->parent, name, b->joints->location);
        b->ends[1] = fnd_model_add_point(model, b, name, b->joints->location);
        if (!b->ends[0] || !b->ends[1]) return false;
        place_ends(b, frame);
    }
    return true;
}

fender_pose fnd_model_link_frame(const fnd_model_body *b, bool slides[3], bool turns[3])
{
    fender_pose frame;
    (void)fnd_model_joint_frame(b, &frame, slides, turns);
    frame = fender_pose_product(b->world, frame);
    if (slides[0] || slides[1] || slides[2])
        frame.q = fender_quaternion_product(b->parent->world.q, b->ends[0]->pose.q);
    return frame;
}

/* ---- bodies that move together */

static fnd_model_body *cluster_of(fnd_model_body *body)
{
    while (body->parent && !body->link) body = body->parent;
    return body;
}

static void find_clusters(fnd_model *model)
{
    for (fnd_model_body *b = model->bodies; b; b = b->next) b->cluster = b->parent && !b->link ? b->parent->cluster : b;
}

/* Parents before their children again, otherwise in the order of the file. */
static void order_bodies(fnd_model *model)
{
    fnd_model_body *rest = model->bodies;
    for (fnd_model_body *b = rest; b; b = b->next) b->placed = false;
    model->bodies = NULL;
    model->bodies_end = &model->bodies;
    while (rest) {
        fnd_model_body *later = NULL, **later_end = &later;
        for (fnd_model_body *b = rest, *next; b; b = next) {
            next = b->next;
            b->next = NULL;
            b->placed = !b->parent || b->parent->placed;
            fnd_model_body ***end = b->placed ? &model->bodies_end : &later_end;
            **end = b;
            *end = &b->next;
        }
        rest = later;
    }
}

static bool is_free_root(const fnd_model_body *body) { return !body->parent && !body->fixed; }

/* Attaches a free tree at one of its bodies to a body of another: X is the pose of `at` in `to`. */
static bool join(fnd_model *model, fnd_model_body *at, fnd_model_body *to, fender_pose X)
{
    fnd_model_body *root = cluster_of(at);
    for (const fnd_model_body *b = to; b; b = b->parent)
        if (b == root) return false; /* a ring */
    fender_pose in_root = fender_pose_product(fender_pose_inverse(root->world), at->world);
    root->pose = fender_pose_product(X, fender_pose_inverse(in_root));
    root->pose.q = fender_quaternion_normalized(root->pose.q);
    root->parent = to;
    root->velocity = root->angular_velocity = (fender_vec3){0, 0, 0};
    order_bodies(model);
    place_bodies(model);
    return true;
}

static void weld_bodies(fnd_model *model)
{
    for (const fnd_model_weld *w = model->welds; w; w = w->next) {
        fnd_model_body *a = w->first, *b = w->second, *ca = cluster_of(a), *cb = cluster_of(b);
        if (ca == cb) {
            fnd_model_note(model, &w->location, "the weld connects bodies that are rigidly connected", "");
            continue;
        }
        fender_pose b_in_a = w->posed ? w->pose : fender_pose_product(fender_pose_inverse(a->world), b->world);
        bool done = is_free_root(ca) && join(model, a, b, fender_pose_inverse(b_in_a));
        if (!done) done = is_free_root(cb) && join(model, b, a, b_in_a);
        if (!done)
            fnd_model_warn(model, &w->location, "the weld is left out: neither of its bodies moves freely",
                           "add a link or an action");
    }
}

/* A cluster without mass cannot hang on a bushing: it joins its parent. */
static void hold_massless(fnd_model *model)
{
    for (bool again = true; again;) {
        again = false;
        find_clusters(model);
        for (fnd_model_body *b = model->bodies; b; b = b->next) b->cluster_mass = 0;
        for (fnd_model_body *b = model->bodies; b; b = b->next) b->cluster->cluster_mass += b->mass.mass;
        for (fnd_model_body *b = model->bodies; b; b = b->next) {
            if (!b->link || b->cluster_mass > 0) continue;
            hold(model, b, ": its body has no mass", "add an inertia");
            again = true;
        }
    }
    for (fnd_model_body *b = model->bodies; b; b = b->next)
        if (is_free_root(b) && !(b->cluster_mass > 0))
            fnd_model_error(model, &b->location, FENDER_STATUS_VALUE,
                            fnd_phrase_make("'%.60s' moves freely and has no mass", b->original).text,
                            "neither its own mass nor that of a body that is rigidly connected", "a mass above 0",
                            "add an inertia, or fix the base (--base fixed)");
}

/* A point or a line of mass, which no body by itself can be. */
static bool is_singular(const fnd_model_body *b)
{
    const fender_vec3 m = fender_principal_moments(&b->mass.inertia);
    const double most = fmax(m.x, fmax(m.y, m.z)), least = fmin(m.x, fmin(m.y, m.z));
    return b->has_mass && b->mass.mass > 0 && fabs(least) <= 1e-9 * most;
}

/* A root without mass takes that of the first body; the mass of a point or line joins the body that it is held by. */
static void give_mass(fnd_model *model, fnd_model_body *b, fnd_model_body *up, fender_pose pose)
{
    const fender_mass_properties part = fnd_model_place_mass(pose, &b->mass);
    if (up->fixed) return;
    if (up->has_mass) {
        fnd_model_note(model, &b->mass_location,
                       fnd_phrase_make("'%.60s' and '%.60s' are one body: an inertia is that of a point or a line",
                                       up->original, b->original)
                           .text,
                       "");
        fnd_model_add_mass(&up->mass, &part);
        return;
    }
    up->has_mass = true;
    up->mass = part;
    up->mass_location = b->mass_location;
}

/* Bodies without mass leave their shapes and points to the next one that has some. */
static void find_carriers(fnd_model *model)
{
    for (fnd_model_body *b = model->bodies; b; b = b->next) {
        b->carrier = b;
        b->in_carrier = fender_pose_identity();
        b->has_mass = b->has_mass && !(b->fixed && is_singular(b));
        if (!b->parent || b->link) continue;
        fnd_model_body *up = b->parent->carrier;
        fender_pose pose = fender_pose_product(b->parent->in_carrier, placed_pose(b));
        pose.q = fender_quaternion_normalized(pose.q);
        if (b->has_mass && up->has_mass && !is_singular(up) && !is_singular(b)) continue;
        if (b->has_mass && up->fixed && !is_singular(b)) continue;
        if (b->has_mass) give_mass(model, b, up, pose);
        b->carrier = up;
        b->in_carrier = pose;
    }
}

static void sum_clusters(fnd_model *model)
{
    for (fnd_model_body *c = model->bodies; c; c = c->next) {
        if (c->cluster != c) continue;
        fender_mass_properties sum = {0};
        for (fnd_model_body *b = c; b; b = b->next) {
            if (b->cluster != c || b->carrier != b || !b->has_mass) continue;
            fender_mass_properties part = fnd_model_place_mass(b->world, &b->mass);
            fnd_model_add_mass(&sum, &part);
        }
        c->cluster_mass = sum.mass;
        if (!c->fixed) model->total_mass += sum.mass;
        c->cluster_center = sum.center_of_mass;
        c->cluster_inertia = sum.inertia;
    }
}

static double reduced(const fnd_model_body *a, double of_a, const fnd_model_body *b, double of_b)
{
    if (a->fixed && b->fixed) return 0;
    if (a->fixed) return of_b;
    if (b->fixed) return of_a;
    return of_a * of_b / (of_a + of_b);
}

double fnd_model_reduced_mass(const fnd_model_body *a, const fnd_model_body *b)
{
    return reduced(a, a->cluster_mass, b, b->cluster_mass);
}

double fnd_model_reduced_contact_mass(const fnd_model_body *a, const fnd_model_body *b)
{
    return reduced(a, a->contact_mass, b, b->contact_mass);
}

/* ---- what the core says of mass properties, at their place in the file */

static void check_masses(fnd_model *model)
{
    fender_env env = {model->env.allocator, NULL, NULL};
    fender_world_def def = fender_world_def_default();
    fender_error error = {0};
    fender_world *world = fender_world_create(&env, &def, &error);
    int number = 0;
    for (fnd_model_body *b = world ? model->bodies : NULL; b; b = b->next) {
        if (b->carrier != b || !b->has_mass) continue;
        fender_body_def body = fender_body_def_default();
        fnd_phrase name = fnd_phrase_make("b%d", ++number);
        body.name = name.text;
        body.mass_properties = b->mass;
        error = (fender_error){0};
        fender_status status = fender_body_create(world, &body, NULL, &error);
        if (status == FENDER_STATUS_OK) continue;
        if (status == FENDER_STATUS_MEMORY) break;
        body.lenient_inertia = true;
        if (model->options->lenient && fender_body_create(world, &body, NULL, NULL) == FENDER_STATUS_OK) {
            b->lenient_inertia = true;
            fnd_model_warn(model, &b->mass_location,
                           fnd_phrase_make("body '%.60s': %s", b->original, error.message).text,
                           "accepted with lenient_inertia");
        } else
            fnd_model_error(model, &b->mass_location, status,
                            fnd_phrase_make("body '%.60s': %s", b->original, error.message).text, error.found,
                            error.expected, error.suggestion);
    }
    fender_world_destroy(world);
    if (error.status == FENDER_STATUS_MEMORY) {
        fnd_diagnostics_note_memory(model->diagnostics);
        model->failed_memory = true;
    }
}

/* ---- names */

/* Names that are taken, by what they lie within (a body; NULL: bodies; the model: materials), and the number to try
 * next for each. */
typedef struct taken_name {
    const void *within;
    const char *name;
    int next;
} taken_name;
typedef struct name_table {
    taken_name *slots;
    size_t mask;
} name_table;

static taken_name *find_name(const name_table *table, const void *within, const char *name)
{
    uint64_t hash = fnd_text_hash(fnd_text_hash(FND_TEXT_HASH_START, &within, sizeof within), name, strlen(name));
    size_t at = (size_t)hash & table->mask;
    while (table->slots[at].name && (table->slots[at].within != within || strcmp(table->slots[at].name, name) != 0))
        at = (at + 1) & table->mask;
    return &table->slots[at];
}

static bool open_names(fnd_model *model, name_table *table)
{
    size_t count = 16, wanted = 0;
    for (const fnd_model_body *b = model->bodies; b; b = b->next) {
        wanted += 2;
        for (const fnd_model_shape *s = b->shapes; s; s = s->next) wanted += 2; /* and its material */
        for (const fnd_model_point *p = b->points; p; p = p->next) wanted++;
    }
    while (count < 4 * wanted) count *= 2; /* a name may need a slot for its stem, too */
    table->slots = fnd_model_keep(model, count, sizeof(taken_name));
    table->mask = count - 1;
    if (table->slots && model->options->ground) /* the names that the plane will have */
        for (int i = 0; i < 2; i++)
            *find_name(table, i == 0 ? NULL : model, "ground") = (taken_name){i == 0 ? NULL : model, "ground", 2};
    return table->slots != NULL;
}

/* A name of the format that is like the original, and that nothing else has. */
static const char *make_name(fnd_model *model, name_table *table, const void *within, const char *original,
                             const char *substitute)
{
    char name[64];
    size_t length = 0;
    if (!original[0]) original = substitute;
    if (!fnd_is_letter(original[0])) name[length++] = '_';
    for (; *original && length < 54; original++)
        name[length++] = fnd_is_letter(*original) || (*original >= '0' && *original <= '9') ? *original : '_';
    name[length] = '\0';
    const char *kept = fnd_model_keep_text(model, name);
    if (!kept) return NULL;
    taken_name *stem = find_name(table, within, name);
    if (!stem->name) {
        *stem = (taken_name){within, kept, 2};
        return kept;
    }
    for (;;) {
        fnd_phrase trial = fnd_phrase_make("%s_%d", name, stem->next++);
        taken_name *slot = find_name(table, within, trial.text);
        if (slot->name) continue;
        kept = fnd_model_keep_text(model, trial.text);
        if (kept) *slot = (taken_name){within, kept, 2};
        return kept;
    }
}

static bool name_parts(fnd_model *model, name_table *table)
{
    static const char *const kinds[] = {"plane", "sphere", "capsule", "ellipsoid", "cylinder",
                                        "box",   "mesh",   "hull",    "ground"};
    for (fnd_model_body *b = model->bodies; b; b = b->next)
        if (!(b->name = make_name(model, table, NULL, b->original, "body"))) return false;
    for (fnd_model_body *b = model->bodies; b; b = b->next) {
        for (fnd_model_shape *s = b->shapes; s; s = s->next) {
            fnd_phrase substitute = fnd_phrase_make("%s", kinds[s->kind]);
            if (b->carrier != b) substitute = fnd_phrase_make("%.40s_%s", b->original, kinds[s->kind]);
            if (!(s->name = make_name(model, table, b->carrier, s->original, substitute.text))) return false;
        }
        for (fnd_model_point *p = b->points; p; p = p->next)
            if (!(p->name = make_name(model, table, b->carrier, p->original, "site"))) return false;
    }
    return true;
}

/* ---- materials: the shapes of one cluster with one kind of surface */

static bool same_surface(const fnd_model_surface *a, const fnd_model_surface *b)
{
    for (int i = 0; i < 3; i++)
        if (a->friction[i] != b->friction[i]) return false;
    for (int i = 0; i < 5; i++)
        if (a->solimp[i] != b->solimp[i]) return false;
    return a->solref[0] == b->solref[0] && a->solref[1] == b->solref[1] && a->solmix == b->solmix &&
           a->priority == b->priority && a->condim == b->condim && a->contype == b->contype &&
           a->conaffinity == b->conaffinity;
}

enum { MATERIAL_LIMIT = 1000 }; /* rules are for every two */

static bool find_material(fnd_model *model, name_table *table, fnd_model_shape *shape)
{
    fnd_model_body *cluster = shape->body->cluster;
    for (int i = 0; i < model->material_count; i++) {
        const fnd_model_material *m = &model->materials[i];
        if (m->cluster != cluster || !same_surface(&m->surface, &shape->surface)) continue;
        shape->material = i;
        return true;
    }
    if (model->material_count == MATERIAL_LIMIT) {
        fnd_model_error(model, &shape->location, FENDER_STATUS_VALUE, "there are too many kinds of surfaces",
                        "one more", fnd_phrase_make("at most %d", MATERIAL_LIMIT).text,
                        "give shapes the same contact parameters");
        return false;
    }
    if (model->material_count == model->material_capacity) {
        int capacity = model->material_capacity == 0 ? 16 : 2 * model->material_capacity;
        fnd_model_material *more = fnd_model_keep(model, (size_t)capacity, sizeof *more);
        if (!more) return false;
        if (model->material_count > 0) memcpy(more, model->materials, (size_t)model->material_count * sizeof *more);
        model->materials = more;
        model->material_capacity = capacity;
    }
    const char *name = make_name(model, table, model, cluster->name, "surface");
    if (!name) return false;
    model->materials[model->material_count] = (fnd_model_material){name, cluster, shape->surface};
    shape->material = model->material_count++;
    return true;
}

static bool find_materials(fnd_model *model, name_table *table)
{
    for (fnd_model_body *b = model->bodies; b; b = b->next)
        for (fnd_model_shape *s = b->shapes; s; s = s->next)
            if (!find_material(model, table, s)) return false;
    return true;
}

bool fnd_model_assemble(fnd_model *model)
{
    place_joints(model);
    place_bodies(model);
    choose_links(model);
    order_bodies(model);
    place_bodies(model);
    weld_bodies(model);
    hold_massless(model);
    if (fnd_diagnostics_error_count(model->diagnostics) > 0) return false;
    find_carriers(model);
    sum_clusters(model);
    check_masses(model);
    if (model->failed_memory || fnd_diagnostics_error_count(model->diagnostics) > 0) return false;
    name_table names;
    return add_link_ends(model) && fnd_model_find_motions(model) && open_names(model, &names) &&
           name_parts(model, &names) && find_materials(model, &names);
}
