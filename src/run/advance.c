/* From one accepted state of a run to the next: rows that fall between, and the time at which a condition becomes true.
 */
#include "run/run.h"

#include <assert.h>
#include <math.h>

double fnd_run_grid_time(const fender_run *run, int64_t step)
{
    return run->scenario->world.start_time + (double)step * run->scenario->world.step;
}

/* Times that only rounding holds apart are the same. */
static bool is_same_time(double a, double b) { return fabs(a - b) <= 1e-14 * (fabs(a) + fabs(b)); }

bool fnd_run_is_at(const fender_run *run, double time) { return is_same_time(run->instant.time, time); }

/* No step goes further than to the next time that a condition names, and an adaptive one not beyond the end. */
static double limit_of(const fender_run *run, double now)
{
    double limit = run->adaptive ? fnd_run_grid_time(run, run->last_step) : INFINITY, next = run->host.limit;
    next = fmin(next, fnd_controllers_next_time(&run->controllers, now));
    if (run->located) {
        double action = fnd_action_next_time(&run->actions, now), stop = fnd_condition_next_time(&run->stop_when, now);
        next = fmin(next, fmin(action, stop));
    }
    if (!run->adaptive && is_same_time(next, fnd_run_grid_time(run, run->instant.step + 1)))
        return limit; /* it ends there anyway */
    return next < limit ? next : limit;
}

/* The grid points within the step of an adaptive method, which does not stop at them. */
static fender_status look_at_grid(fender_run *run, double end, fender_error *error)
{
    for (;;) {
        int64_t next = run->instant.step + 1;
        double time = fnd_run_grid_time(run, next);
        if (!(time < end) || is_same_time(time, end)) return FENDER_STATUS_OK;
        fender_status status = fender_world_sample(run->world, time, error);
        if (status != FENDER_STATUS_OK) return status;
        run->instant = fnd_run_instant(run, next, true);
        run->instant.time = time;
        run->instant.accepted = false;
        if ((status = fnd_run_sample(run, error)) != FENDER_STATUS_OK) return status;
        fnd_watch_note_nearness(run, &run->instant);
    }
}

fender_status fnd_run_advance(fender_run *run, fender_error *error)
{
    double now = fender_world_time(run->world);
    fender_proposal proposal = {0};
    fender_status status = fender_world_propose(run->world, limit_of(run, now), &proposal, error);
    double at = proposal.end_time;
    if (status == FENDER_STATUS_OK) status = fnd_watch_find(run, &proposal, &at, error);
    if (status == FENDER_STATUS_OK && at < proposal.end_time)
        status = fender_world_propose(run->world, at, &proposal, error);
    if (status == FENDER_STATUS_OK) status = fnd_watch_keep(run, &proposal, error);
    if (status == FENDER_STATUS_OK && run->adaptive) status = look_at_grid(run, proposal.end_time, error);
    if (status == FENDER_STATUS_OK && run->adaptive) status = fnd_watch_finish(run, proposal.end_time, error);
    if (status == FENDER_STATUS_OK) status = fender_world_accept(run->world, error);
    fnd_watch_end(run, status == FENDER_STATUS_OK);
    if (status != FENDER_STATUS_OK) return status;
    int64_t step = run->instant.step;
    bool on_grid = run->adaptive ? is_same_time(fnd_run_grid_time(run, step + 1), proposal.end_time)
                                 : proposal.ends_step;
    run->instant = fnd_run_instant(run, step + on_grid, on_grid);
    return FENDER_STATUS_OK;
}
