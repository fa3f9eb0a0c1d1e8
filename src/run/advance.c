/* From one accepted state of a run to the next: rows that fall between, and the time at which a condition becomes true.
 */
#include "run/run.h"

#include <assert.h>
#include <math.h>

static double grid_time(const fender_run *run, int64_t step)
{
    return run->scenario->world.start_time + (double)step * run->scenario->world.step;
}

/* Times that only rounding holds apart are the same. */
static bool is_same_time(double a, double b) { return fabs(a - b) <= 1e-14 * (fabs(a) + fabs(b)); }

bool fnd_run_is_at(const fender_run *run, double time) { return is_same_time(run->instant.time, time); }

/* No step goes further than to the next time that a condition names, and an adaptive one not beyond the end. */
static double limit_of(const fender_run *run, double now)
{
    double limit = run->adaptive ? grid_time(run, run->last_step) : INFINITY, next = run->host.limit;
    next = fmin(next, fnd_controllers_next_time(&run->controllers, now));
    if (run->located) {
        double action = fnd_action_next_time(&run->actions, now), stop = fnd_condition_next_time(&run->stop_when, now);
        next = fmin(next, fmin(action, stop));
    }
    if (!run->adaptive && is_same_time(next, grid_time(run, run->instant.step + 1)))
        return limit; /* it ends there anyway */
    return next < limit ? next : limit;
}

/* What conditions that may become true within a step read. */
typedef enum fnd_reading { READ_NOTHING, READ_MOTION, READ_FORCES } fnd_reading;

static fnd_reading reading_of(const fnd_condition_tree *tree)
{
    return !tree->watched ? READ_NOTHING : tree->forces ? READ_FORCES : READ_MOTION;
}

static fnd_reading conditions_read(const fender_run *run)
{
    if (!run->located) return READ_NOTHING;
    fnd_reading most = reading_of(&run->stop_when);
    for (int i = 0; i < run->actions.count; i++) {
        const fnd_action_state *action = &run->actions.states[i];
        if (action->done || isfinite(action->due) || (action->held && !action->when.timed)) continue;
        const fnd_reading reading = reading_of(&action->when);
        if (reading > most) most = reading;
    }
    return most;
}

/* Does a condition become true at a time within the proposed step? */
static fender_status try_conditions(fender_run *run, double time, fnd_reading reading, bool *begins,
                                    fender_error *error)
{
    fender_status status = reading == READ_FORCES ? fender_world_sample(run->world, time, error)
                                                  : fender_world_sample_motion(run->world, time, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_instant instant = fnd_run_instant(run, run->instant.step, false);
    if (reading == READ_FORCES) fender_world_ledger(run->world, &instant.ledger);
    *begins = fnd_action_would_begin(&run->actions, &instant) ||
              (run->stop_when.watched && (fnd_condition_would_hold(&run->stop_when, &instant) ||
                                          fnd_condition_would_start(&run->stop_when, &instant)));
    return FENDER_STATUS_OK;
}

/* The first time within the proposed step at which a condition holds that did not before, by looking at several places
 * and halving; what comes and goes between two of them is not seen. *at stays when there is none. */
static fender_status find_condition(fender_run *run, fnd_reading reading, const fender_proposal *proposal, double *at,
                                    fender_error *error)
{
    enum { PLACES = 8 };
    double low = proposal->start_time, length = proposal->end_time - low, high = low;
    double tolerance = fender_world_get_def(run->world)->event_tolerance;
    fender_status status = FENDER_STATUS_OK;
    bool begins = false;
    for (int i = run->adaptive ? 1 : PLACES; i <= PLACES && !begins; i++) {
        low = high;
        high = i == PLACES ? proposal->end_time : proposal->start_time + length * i / PLACES;
        if ((status = try_conditions(run, high, reading, &begins, error)) != FENDER_STATUS_OK) return status;
    }
    if (!begins) return FENDER_STATUS_OK;
    while (high - low > tolerance) {
        double middle = 0.5 * (low + high);
        if (!(middle > low) || !(middle < high)) break;
        if ((status = try_conditions(run, middle, reading, &begins, error)) != FENDER_STATUS_OK) return status;
        if (begins) high = middle;
        else low = middle;
    }
    *at = high;
    return FENDER_STATUS_OK;
}

/* The grid points within the step of an adaptive method, which does not stop at them. */
static fender_status look_at_grid(fender_run *run, double end, fender_error *error)
{
    for (;;) {
        int64_t next = run->instant.step + 1;
        double time = grid_time(run, next);
        if (!(time < end) || is_same_time(time, end)) return FENDER_STATUS_OK;
        fender_status status = fender_world_sample(run->world, time, error);
        if (status != FENDER_STATUS_OK) return status;
        run->instant = fnd_run_instant(run, next, true);
        run->instant.time = time;
        if ((status = fnd_run_sample(run, error)) != FENDER_STATUS_OK) return status;
    }
}

fender_status fnd_run_advance(fender_run *run, fender_error *error)
{
    double now = fender_world_time(run->world);
    fender_proposal proposal;
    fender_status status = fender_world_propose(run->world, limit_of(run, now), &proposal, error);
    const fnd_reading reading = conditions_read(run);
    if (status == FENDER_STATUS_OK && reading != READ_NOTHING) {
        double at = proposal.end_time;
        status = find_condition(run, reading, &proposal, &at, error);
        if (status == FENDER_STATUS_OK && at < proposal.end_time)
            status = fender_world_propose(run->world, at, &proposal, error);
    }
    if (status == FENDER_STATUS_OK && run->adaptive) status = look_at_grid(run, proposal.end_time, error);
    if (status == FENDER_STATUS_OK) status = fender_world_accept(run->world, error);
    if (status != FENDER_STATUS_OK) return status;
    int64_t step = run->instant.step;
    bool on_grid = run->adaptive ? is_same_time(grid_time(run, step + 1), proposal.end_time) : proposal.ends_step;
    run->instant = fnd_run_instant(run, step + on_grid, on_grid);
    return FENDER_STATUS_OK;
}
