/* Warnings of steps, once all sections are read: flows of mass in long ones, tolerances below rounding. */
#include "scenario/section.h"

#include <float.h>
#include <math.h>

/* ---- Flows in long steps ---- */

/* Parts of the gained speed: where a word is said, and at which no more is. */
#define FLOW_ERROR      1e-6
#define FLOW_ERROR_FINE 1e-7

typedef struct burn {
    double first, last; /* kg; with all that is attached, at full thrust until the tank or the run ends */
    double rate;        /* kg/s */
} burn;

static bool burn_of(const fender_scenario *scenario, const fnd_load_description *load, burn *b)
{
    const fender_load_thruster *engine = &load->def.thruster;
    const double standard_gravity = 9.80665; /* m/s^2; of the specific impulse */
    if (load->def.kind != FENDER_LOAD_THRUSTER || load->tank < 0 || load->body < 0) return false;
    const int root = fnd_scenario_root(scenario, load->body);
    if (fnd_scenario_root(scenario, load->tank) != root) return false;
    *b = (burn){.rate = engine->thrust / (engine->specific_impulse * standard_gravity)};
    for (int i = 0; i < scenario->body_count; i++)
        if (fnd_scenario_root(scenario, i) == root) b->first += scenario->bodies[i].def.mass_properties.mass;
    const double left = scenario->bodies[load->tank].def.mass_properties.mass - engine->dry_mass;
    const double used = b->rate * scenario->until;
    b->last = b->first - (used < left ? used : left);
    return engine->specific_impulse > 0 && b->last > 0 && b->last < b->first;
}

/* A step of the length h has the mass m of its middle. Where m falls at the rate r, the speed F h / m that it gives is
 * less than that of the flow by the part (r h / m)^2 / 12. */
static void warn_of_flow(fnd_reader *reader, const fnd_load_description *load)
{
    const fender_scenario *scenario = reader->scenario;
    const double step = scenario->world.step;
    burn b;
    if (!burn_of(scenario, load, &b)) return;
    const double gained = log(b.first / b.last), x = b.rate * step;
    const double part = x * x / 24 * (1 / (b.last * b.last) - 1 / (b.first * b.first)) / gained;
    if (!(part > FLOW_ERROR)) return;
    const double speed = load->def.thruster.thrust / b.rate * gained;
    fnd_diagnostic_add(
        reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK, &load->id.location,
        fnd_phrase_make("while '%s' draws from its tank, steps are as long as integrator.step (%.3g s) and have the "
                        "masses of their middle: the speed gained is off by up to %.2g m/s of %.4g m/s",
                        load->id.name, step, part * speed, speed)
            .text,
        "", "", fnd_phrase_make("write integrator.step: %.1g s", 0.7 * step * sqrt(FLOW_ERROR_FINE / part)).text);
}

/* ---- Tolerances below rounding ---- */

/* Times the allowed error of a position; springs then feel more of rounding than of the steps. */
#define ROUNDING_PART 3

static bool has_springs(const fender_scenario *scenario)
{
    if (scenario->link_count > 0) return true;
    for (int i = 0; i < scenario->rule_count; i++)
        if (scenario->rules[i].use >= 0) return true;
    return false;
}

static bool moves(const fender_scenario *scenario, int body)
{
    return scenario->bodies[body].def.motion == FENDER_MOTION_DYNAMIC && fnd_scenario_root(scenario, body) == body;
}

/* Of all that moves. */
static fender_vec3 common_center(const fender_scenario *scenario)
{
    fender_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i < scenario->body_count; i++) {
        const fender_body_def *def = &scenario->bodies[i].def;
        if (!moves(scenario, fnd_scenario_root(scenario, i))) continue;
        sum = fender_vec3_add_scaled(sum, def->mass_properties.mass, def->state.position);
        mass += def->mass_properties.mass;
    }
    return mass > 0 ? fender_vec3_scale(1 / mass, sum) : sum;
}

static void warn_of_rounding(fnd_reader *reader)
{
    const fender_scenario *scenario = reader->scenario;
    const fender_world_def *world = &scenario->world;
    const fender_vec3 center = common_center(scenario);
    const double relative = world->relative_tolerance > 0 ? world->relative_tolerance : 1e-9; /* the defaults */
    const double absolute = world->absolute_tolerance > 0 ? world->absolute_tolerance : relative;
    int worst = -1;
    double most = ROUNDING_PART;
    for (int i = 0; i < scenario->body_count; i++) {
        const fender_vec3 place = scenario->bodies[i].def.state.position;
        if (!moves(scenario, i)) continue;
        const double arm = fender_vec3_length(fender_vec3_sub(place, center));
        const double part = DBL_EPSILON * fender_vec3_length(place) / (absolute + relative * arm);
        if (!(part > most)) continue;
        most = part;
        worst = i;
    }
    if (worst < 0) return;
    const double rounding = DBL_EPSILON * fender_vec3_length(scenario->bodies[worst].def.state.position);
    fnd_diagnostic_add(reader->diagnostics, FENDER_SEVERITY_WARNING, FENDER_STATUS_OK,
                       &scenario->bodies[worst].id.location,
                       fnd_phrase_make("positions of '%s' are rounded to %.1g m, %.2g times the tolerance: steps get "
                                       "short, and contacts and links no more accurate",
                                       scenario->bodies[worst].id.name, rounding, most)
                           .text,
                       "", "",
                       fnd_phrase_make("place the origin beside the bodies, in orbit by world.frame: {planet: .., "
                                       "orbit: ..}, or write integrator.absolute_tolerance: %.0e",
                                       rounding)
                           .text);
}

void fnd_warn_of_steps(fnd_reader *reader)
{
    const fender_scenario *scenario = reader->scenario;
    if (!fender_integrator_adaptive(scenario->world.method)) return;
    for (int i = 0; i < scenario->load_count; i++) warn_of_flow(reader, &scenario->loads[i]);
    if (has_springs(scenario)) warn_of_rounding(reader);
}
