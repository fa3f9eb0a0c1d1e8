/* The verdict on the energy of a run; notes on contacts with `debug` during it. */
#include "run/run.h"
#include <fender/advice.h>

#include "support/number.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* A fixed step is trusted to three digits: a residual of a thousandth shows in the third digit of every force. An
 * adaptive method answers for its tolerance; a thousand times that is many steps whose errors all point the same way.
 */
double fnd_residual_bound(const fender_scenario *scenario)
{
    const fender_world_def *def = &scenario->world;
    if (scenario->residual_bound > 0) return scenario->residual_bound;
    if (!fender_integrator_adaptive(def->method)) return 1e-3;
    double tolerance = def->relative_tolerance > 0 ? def->relative_tolerance : 1e-9;
    double bound = 1e3 * tolerance;
    return bound < 1e-6 ? 1e-6 : bound > 1e-3 ? 1e-3 : bound;
}

/* NULL: none. */
static const fender_law *law_between(const fender_world *world, fender_shape_id a, fender_shape_id b,
                                     fender_contact_type_def *type)
{
    fender_pair_explanation why;
    if (fender_world_explain(world, a, b, &why) != FENDER_STATUS_OK || why.use.index1 == 0 ||
        fender_contact_type_get_def(world, why.use, type) != FENDER_STATUS_OK)
        return NULL;
    return type->law ? type->law : type->normal;
}

/* Contacts that began slowly, and are loaded later, damp by restitution over that speed: the damper, not the spring,
 * is what the step is too long for. */
static bool damps_by_its_touch(const fender_run *run)
{
    fender_contact_type_def type;
    const fender_law *law = law_between(run->world, run->episodes.worst_a, run->episodes.worst_b, &type);
    const fender_field *least = law ? fender_field_find(&law->parameters, "least_speed") : NULL;
    const fender_field *restitution = law ? fender_field_find(&law->parameters, "restitution") : NULL;
    return least && restitution &&
           fender_field_get(restitution, type.law ? type.law_parameters : type.normal_parameters, 0) < 1;
}

/* For people, alike in every locale. */
typedef struct figure {
    char text[FND_NUMBER_SIZE];
} figure;
static figure digits(double value, int count)
{
    figure f;
    fnd_number_format_digits(value, count, f.text, sizeof f.text);
    return f;
}

/* Law of the contact with the largest residual, if that has patches. */
static const fender_law *law_of_patches(const fender_run *run, fender_contact_type_def *type)
{
    const fnd_episode_table *episodes = &run->episodes;
    if (episodes->worst_a.index1 == 0) return NULL;
    const fender_law *law = law_between(run->world, episodes->worst_a, episodes->worst_b, type);
    if (!law || type->points != FENDER_CONTACT_POINTS_PATCH) return NULL;
    return fnd_geometry_has_patches(fnd_shape_type(run->world, episodes->worst_a)) &&
                   fnd_geometry_has_patches(fnd_shape_type(run->world, episodes->worst_b))
               ? law
               : NULL;
}

/* Has it patches of a law that they do not integrate exactly? A shorter step does not help there. */
static const fender_law *law_of_rough_patches(const fender_run *run)
{
    fender_contact_type_def type;
    const fender_law *law = law_of_patches(run, &type);
    return law && !law->exponent ? law : NULL;
}

/* Has it patches with bonds that hold beyond touch? */
static bool has_bonds(const fender_run *run)
{
    fender_contact_type_def type;
    const fender_law *law = law_of_patches(run, &type);
    return law && fnd_law_holds_apart(law, &type);
}

static bool is_mesh(fender_geometry_type type) { return type == FENDER_GEOMETRY_MESH || type == FENDER_GEOMETRY_GRID; }

static bool is_rounded(const fender_world *world, fender_shape_id shape)
{
    fender_shape_def def;
    return fender_shape_get_def(world, shape, &def) == FENDER_STATUS_OK && fender_geometry_rounding(def.geometry) > 0;
}

/* Has it patches of a mesh and a rounded solid? Where the solid has the larger face, its edges are sharp to the mesh,
 * and store energy at touch. */
static bool has_sharp_edges(const fender_run *run)
{
    const fender_shape_id a = run->episodes.worst_a, b = run->episodes.worst_b;
    fender_contact_type_def type;
    return law_of_patches(run, &type) && (is_rounded(run->world, a) || is_rounded(run->world, b)) &&
           (is_mesh(fnd_shape_type(run->world, a)) || is_mesh(fnd_shape_type(run->world, b)));
}

/* Other points than those of patches that do not keep the energy, as the first words of an advice; "": they do. */
static const char *other_points(const fender_run *run)
{
    if (has_bonds(run)) return "points: corners or single (bonds of patches break one by one), ";
    if (has_sharp_edges(run)) return "points: single (edges of rounded solids are sharp to meshes), ";
    return "";
}

/* Have all contacts of the run been between the same shapes? */
static bool is_only_pair(const fnd_episode_table *episodes)
{
    for (int i = 0; i < episodes->count; i++)
        if (episodes->keys[i].a.index1 != episodes->worst_a.index1 ||
            episodes->keys[i].b.index1 != episodes->worst_b.index1)
            return false;
    return true;
}

/* m/s; slower sliding of the contact with the largest residual does not end within a fixed step, under its peak force:
 * the direction of the slip changes from step to step. 0: its law has a stick_speed above that, or none. */
static double least_stick_speed(const fender_run *run, const char **type_name)
{
    const fender_world_def *def = &run->scenario->world;
    const fnd_episode_table *episodes = &run->episodes;
    fender_contact_type_def type;
    double force = 0;
    if (episodes->worst_a.index1 == 0 || !law_between(run->world, episodes->worst_a, episodes->worst_b, &type))
        return 0;
    const fender_field *mu = type.friction ? fender_field_find(&type.friction->parameters, "mu_kinetic") : NULL;
    const fender_field *speed = type.friction ? fender_field_find(&type.friction->parameters, "stick_speed") : NULL;
    if (!mu || !speed) return 0;
    for (int i = 0; i < episodes->count; i++) {
        const fnd_episode_key *key = &episodes->keys[i];
        const bool mine = key->a.index1 == episodes->worst_a.index1 && key->b.index1 == episodes->worst_b.index1;
        if (mine && episodes->items[i].peak_force > force) force = episodes->items[i].peak_force;
    }
    const double mobility = fender_sideways_mobility(run->world, episodes->worst_a) +
                            fender_sideways_mobility(run->world, episodes->worst_b);
    const double least = fender_least_stick_speed(def->method, def->step,
                                                  fender_field_get(mu, type.friction_parameters, 0), force * mobility);
    *type_name = type.name;
    return least > fender_field_get(speed, type.friction_parameters, 0) ? least : 0;
}

static void suggest(const fender_run *run, char *text, size_t size)
{
    const fender_world_def *def = &run->scenario->world;
    const fender_law *law = law_of_rough_patches(run);
    if (law) {
        snprintf(text, size,
                 "patches do not keep the energy of law %.20s, at any step: try points: corners or single, "
                 "or a larger run.residual_bound",
                 law->name);
        return;
    }
    if (fender_integrator_adaptive(def->method)) {
        double tolerance = def->relative_tolerance > 0 ? def->relative_tolerance : 1e-9;
        const char *points = other_points(run);
        snprintf(text, size, "try %s%sintegrator.relative_tolerance=%s", points, *points ? "or " : "",
                 digits(tolerance / 10, 2).text);
        return;
    }
    const char *name = "";
    const double least = least_stick_speed(run, &name);
    if (least > 0) {
        snprintf(text, size,
                 "under this load, sliding slower than %s m/s does not end within a step: try stick_speed: %s m/s in "
                 "the friction of '%.40s', law cundall_strack, a shorter integrator.step, or an adaptive "
                 "integrator.method",
                 digits(least, 2).text, digits(fnd_number_one_digit(2 * least), 2).text, name);
        return;
    }
    bool located = def->locate_events || run->episodes.worst_a.index1 == 0;
    snprintf(text, size, "try %s%sa shorter integrator.step, %san adaptive integrator.method", other_points(run),
             located ? "" : "integrator.locate_events=true, ",
             run->episodes.worst_a.index1 != 0 && damps_by_its_touch(run) ? "a larger least_speed of the law, or "
                                                                          : "or ");
}

const char *fender_run_verdict_name(fender_run_verdict verdict)
{
    return verdict == FENDER_RUN_SOUND ? "sound" : verdict == FENDER_RUN_DOUBTFUL ? "doubtful" : "no result";
}

static double largest_of(double a, double b) { return a > b ? a : b; }

static bool moves_by_forces(const fender_world *world, fender_body_id body)
{
    fender_body_def def;
    return fender_body_get_def(world, body, &def) == FENDER_STATUS_OK && def.motion == FENDER_MOTION_DYNAMIC;
}

/* How far points of bodies that move by forces lie from the origins of these. [m] */
static double longest_lever(const fender_world *world)
{
    double lever = 0;
    for (int i = 0; i < fender_point_count(world); i++) {
        fender_body_id body;
        fender_pose X_SP;
        if (fender_point_get(world, fender_point_at(world, i), &body, NULL, &X_SP) == FENDER_STATUS_OK &&
            moves_by_forces(world, body))
            lever = largest_of(lever, fender_vec3_length(X_SP.p));
    }
    return lever;
}

/* Sum of m L^2 of the bodies that move by forces. L: of what positions of its points are sums. [kg m^2] */
static double reach_of_all(const fender_world *world)
{
    const double lever = longest_lever(world);
    double sum = 0;
    for (int i = 0; i < fender_body_count(world); i++) {
        const fender_body_id body = fender_body_at(world, i);
        fender_body_data data;
        if (!moves_by_forces(world, body) ||
            fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
            continue;
        const double own = largest_of(lever, fender_vec3_length(data.center_of_mass));
        const double reach = fender_vec3_length(data.center_position) + own;
        sum += data.core_mass * reach * reach;
    }
    return sum;
}

/* J; places of the size L are rounded by eps L, and so is the work of contacts that carry a load. */
static double rounding_of_loads(const fender_world *world)
{
    double reach = longest_lever(world), load = 0;
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_data data;
        const fender_body_id body = fender_body_at(world, i);
        if (moves_by_forces(world, body) &&
            fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data) == FENDER_STATUS_OK)
            reach = largest_of(reach, fender_vec3_length(data.center_position));
    }
    for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
        fender_contact_data contact;
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &contact) == FENDER_STATUS_OK)
            load += fabs(contact.normal_force);
    }
    return 4 * DBL_EPSILON * load * reach;
}

/* What rounding may do to the energy, so that a mechanism at rest has no residual. [J]
 *
 * Positions of the size L are rounded by e = eps L. The stiffest spring that a step h resolves has k h^2 = m / 10. The
 * displacement is an energy of k e^2 / 2 in it, and its force changes the velocity by k e h / m in a step: those of N
 * steps add up at random, to N k h^2 / m times that energy. The sums of the ledger are rounded, too, and places under a
 * load. Where more energy is at work, rounding explains less: of a hundred times as much, a ten-thousandth. */
static double rounding_of(const fender_run *run, double scale)
{
    const fender_world_def *def = fender_world_get_def(run->world);
    const fender_ledger *ledger = &run->instant.ledger;
    const double steps = largest_of((double)fender_world_step_count(run->world), 1),
                 passed = run->instant.time - def->start_time;
    const double step = run->adaptive && passed > 0 ? passed / steps : def->step, stiff = 0.1;
    const double rate = DBL_EPSILON / step;
    const double rounding = 0.5 * stiff * (1 + stiff * steps) * reach_of_all(run->world) * rate * rate +
                            8 * DBL_EPSILON *
                                (fabs(ledger->kinetic) + fabs(ledger->gravitational) + fabs(ledger->stored)) +
                            rounding_of_loads(run->world);
    if (!isfinite(rounding)) return 0;
    return scale > rounding ? rounding * (rounding / scale) : rounding;
}

/* An instability multiplies it without end; what goes wrong once, or in the rounding of little, does not. */
bool fnd_run_grows(fender_run *run)
{
    enum { TIMES = 1000 };
    const fender_ledger *ledger = &run->instant.ledger;
    const double residual = fabs(ledger->residual);
    if (!(residual > 0.5 * ledger->scale) || residual <= rounding_of(run, ledger->scale)) run->growth_start = 0;
    else if (run->growth_start == 0) run->growth_start = residual;
    return run->growth_start > 0 && residual > TIMES * run->growth_start;
}

/* The link that holds or loses most, beside a contact that explains little. */
static int strongest_link(const fender_world *world, double *energy)
{
    int strongest = -1;
    *energy = 0;
    for (int i = 0; i < fender_link_count(world); i++) {
        fender_link_data data;
        if (fender_link_get(world, fender_link_at(world, i), FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK)
            continue;
        const double all = data.stored_energy + fabs(data.damping_loss);
        if (all > *energy) *energy = all, strongest = i;
    }
    return strongest;
}

static void name_link(const fender_run *run, double largest, char *text, size_t size)
{
    double energy;
    const int link = strongest_link(run->world, &energy);
    if (link >= 0 && energy > 0.1 * largest)
        snprintf(text, size, "; the largest part went through link %.100s: %s J",
                 fender_link_name(run->world, fender_link_at(run->world, link)), digits(energy, 2).text);
}

static fender_run_verdict verdict_on_energy(fender_run *run, double scale)
{
    fender_run_summary *summary = &run->summary;
    const double largest = summary->largest_residual, bound = summary->residual_bound * scale;
    summary->residual_floor = largest > bound ? rounding_of(run, scale) : 0;
    const bool beyond = largest != 0 && (!(largest <= bound + summary->residual_floor) || isinf(scale));
    return !beyond ? FENDER_RUN_SOUND : largest <= 0.5 * scale ? FENDER_RUN_DOUBTFUL : FENDER_RUN_NO_RESULT;
}

static void judge_energy(fender_run *run)
{
    fender_run_summary *summary = &run->summary;
    const fnd_episode_table *episodes = &run->episodes;
    double largest = summary->largest_residual, scale = summary->end.scale;
    summary->verdict = verdict_on_energy(run, scale);
    if (summary->verdict == FENDER_RUN_SOUND) return;
    const size_t size = sizeof run->reason;
    char part[64] = "with no energy at work";
    if (scale > 0) snprintf(part, sizeof part, "%s of the energy at work", digits(largest / scale, 2).text);
    size_t used = (size_t)snprintf(run->reason, size, "the energy residual reached %s J, %s (bound %s)%s",
                                   digits(largest, 2).text, part, digits(summary->residual_bound, 2).text,
                                   summary->verdict == FENDER_RUN_NO_RESULT ? ": this is no result" : "");
    if (run->end == FND_END_ENERGY && used < size)
        used += (size_t)snprintf(run->reason + used, size - used, "; it kept growing, so the run was stopped at %s s",
                                 digits(summary->end_time, 6).text);
    const bool explained = episodes->worst_a.index1 != 0 && fabs(episodes->worst_residual) >= 0.1 * largest;
    if (!explained && used < size) {
        name_link(run, largest, run->reason + used, size - used);
        used += strlen(run->reason + used);
    }
    if (episodes->worst_a.index1 != 0 && used < size) {
        char pair[420];
        fender_contact_type_def type;
        const fender_law *law = law_between(run->world, episodes->worst_a, episodes->worst_b, &type);
        fnd_pair_name(run->world, episodes->worst_a, episodes->worst_b, pair, sizeof pair);
        snprintf(run->reason + used, size - used, "; %s contact %s (law %s): %s J",
                 explained                ? "the largest part belongs to"
                 : is_only_pair(episodes) ? "little of it belongs to the only"
                                          : "no single contact explains it; the largest part belongs to",
                 pair, law ? law->name : "", digits(episodes->worst_residual, 2).text);
    }
    suggest(run, run->remedy, sizeof run->remedy);
    if (law_of_rough_patches(run) || has_sharp_edges(run)) summary->energy_remedy = run->remedy;
    run->reasons[summary->reason_count++] = run->reason;
}

fender_run_verdict fnd_run_judge_so_far(fender_run *run)
{
    fender_run_summary *summary = &run->summary;
    summary->reason_count = 0;
    summary->verdict = verdict_on_energy(run, run->instant.ledger.scale);
    if (summary->verdict == FENDER_RUN_SOUND) return FENDER_RUN_SOUND;
    summary->end = run->instant.ledger;
    summary->end_time = run->instant.time;
    fnd_episode_table_finish(&run->episodes, run->world);
    judge_energy(run);
    return summary->verdict;
}

void fnd_run_judge(fender_run *run)
{
    fender_run_summary *summary = &run->summary;
    fnd_episode_table *episodes = &run->episodes;
    summary->reasons = run->reasons;
    summary->reason_count = 0;
    judge_energy(run);
    for (int i = 0; i < episodes->count && summary->verdict != FENDER_RUN_SOUND; i++) {
        const double all = INFINITY;
        episodes->items[i].errors = (fender_contact_errors){all, all, all, all, all, all, all, all};
    }
    if (run->end != FND_END_ERROR) return; /* what is there is true up to the error */
    if (summary->verdict == FENDER_RUN_SOUND) summary->verdict = FENDER_RUN_DOUBTFUL;
    run->reasons[summary->reason_count++] = run->failure.message;
}

void fnd_run_warn_of_residual(const fender_run *run)
{
    if (run->summary.verdict == FENDER_RUN_SOUND || !run->env.report) return;
    fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                 .status = FENDER_STATUS_RESIDUAL,
                                 .file = "",
                                 .excerpt = "",
                                 .message = run->reason,
                                 .found = "",
                                 .expected = "",
                                 .suggestion = run->remedy};
    run->env.report(run->env.report_ctx, &warning);
}

/* ---- contacts whose life is told */

static const fnd_contact_type_description *type_of_event(const fender_run *run, const fender_event *event, int *index)
{
    fender_pair_explanation pair;
    if (fender_world_explain(run->world, event->contact.a, event->contact.b, &pair) != FENDER_STATUS_OK ||
        pair.use.index1 == 0)
        return NULL;
    *index = (int)pair.use.index1 - 1;
    return *index < run->scenario->contact_type_count ? &run->scenario->contact_types[*index] : NULL;
}

/* "broken", of the law whose modes are shown; "" without. */
static const char *mode_name(const fnd_contact_type_description *type, int mode)
{
    const fender_law *const laws[] = {type->law ? type->law : type->normal, type->friction};
    for (int i = 0; i < 2; i++) {
        if (!laws[i] || !laws[i]->mode_names) continue;
        for (int k = 0; laws[i]->mode_names[k]; k++)
            if (k == mode) return laws[i]->mode_names[k];
    }
    return "";
}

static const char *six_digits(char text[FND_NUMBER_SIZE], double value)
{
    (void)fnd_number_format_digits(value, 6, text, FND_NUMBER_SIZE);
    return text;
}

static void what_happened(char *text, size_t size, const fender_event *event, const fnd_contact_type_description *type)
{
    char a[FND_NUMBER_SIZE], b[FND_NUMBER_SIZE], c[FND_NUMBER_SIZE], d[FND_NUMBER_SIZE];
    if (event->kind == FENDER_EVENT_BEGIN)
        snprintf(text, size, "established, approaching at %s m/s",
                 six_digits(a, event->contact.depth_rate + 0.0)); /* no minus before 0 */
    else if (event->kind == FENDER_EVENT_LAW) snprintf(text, size, "event %d of its law", event->code);
    else if (event->kind == FENDER_EVENT_END)
        snprintf(text, size, "terminated: since %s s impulse %s N*s, peak force %s N, depth %s m",
                 six_digits(a, event->contact.begin_time), six_digits(b, event->contact.impulse),
                 six_digits(c, event->contact.peak_force), six_digits(d, event->contact.peak_depth));
    else snprintf(text, size, "mode '%s'", mode_name(type, event->code));
}

void fnd_debug_tell(const fender_run *run)
{
    if (!run->env.report) return;
    for (int i = 0; i < run->instant.event_count; i++) {
        const fender_event *event = &run->instant.events[i];
        int index;
        if (event->subject != FENDER_SUBJECT_CONTACT) continue;
        const fnd_contact_type_description *type = type_of_event(run, event, &index);
        if (!type || !type->debug) continue;
        char name[420], what[240], message[800], time[FND_NUMBER_SIZE];
        fnd_contact_name(run->world, event->contact.a, event->contact.b, event->contact.feature, name, sizeof name);
        what_happened(what, sizeof what, event, type);
        snprintf(message, sizeof message, "%s s  %s (%.63s) %s", six_digits(time, event->time), name, type->id.name,
                 what);
        const fender_diagnostic note = {FENDER_SEVERITY_NOTE, FENDER_STATUS_OK, "", 0, 0, 0, "", message, "", "", ""};
        run->env.report(run->env.report_ctx, &note);
    }
}
