/*************************************************************
PURPOSE: (Jobs of a Trick sim for a Fender world: what fender_trick.c does, called as Trick calls it.)
*************************************************************/
#include "fender_trick_jobs.h"

#include <math.h>

#include <trick/exec_proto.h>
#include <trick/integrator_c_intf.h>
#include <trick/memorymanager_c_intf.h>

/* Ends the sim when a call has failed. */
static int checked(const fender_trick *t, int status, const char *job)
{
    if (status != 0) exec_terminate_with_return(status, job, 0, t->message);
    return status;
}

int fender_trick_initialize_job(fender_trick *t)
{
    return checked(t, fender_trick_initialize(t), "fender_trick_initialize");
}

int fender_trick_command_job(fender_trick *t)
{
    return checked(t, fender_trick_apply_commands(t), "fender_trick_apply_commands");
}

int fender_trick_derivative_job(fender_trick *t)
{
    return checked(t, fender_trick_derivative(t), "fender_trick_derivative");
}

/* Each step begins at the accepted state. Towards an event, Trick integrates back and forth from the end of the step,
 * across the begin of a contact. Such a step begins again at the accepted state instead: its length is the integrator's
 * `dt` times `stretch`, by which the derivatives are multiplied. */
int fender_trick_integration_job(fender_trick *t)
{
    const int n = t->state_count;
    const double dt = get_integ_dt();
    if (get_intermediate_step() == 0) {
        const double span = get_integ_target_time() - t->time;
        const int elsewhere = t->state[n - 1] != t->time;
        t->stretch = dt != 0 && fabs(span - dt) > 1e-14 * (1 + fabs(t->time)) ? span / dt : 1;
        if (elsewhere) {
            if (checked(t, fender_trick_reset_state(t), "fender_trick_reset_state") != 0) return 0;
            if (checked(t, fender_trick_derivative(t), "fender_trick_derivative") != 0) return 0;
        }
    }
    for (int i = 0; i < n; i++) {
        load_indexed_state((unsigned int)i, t->state[i]);
        load_indexed_deriv((unsigned int)i, t->stretch * t->rate[i]);
    }
    const int pass = integrate();
    for (int i = 0; i < n; i++) t->state[i] = unload_indexed_state((unsigned int)i);
    /* the time of the end without the rounding of its sum */
    if (pass == 0) t->state[n - 1] = get_integ_target_time();
    return pass;
}

double fender_trick_event_job(fender_trick *t)
{
    double time_to_go = 0;
    if (checked(t, fender_trick_time_to_go(t, &time_to_go), "fender_trick_time_to_go") != 0)
        return FENDER_TRICK_NO_EVENT;
    return time_to_go;
}

int fender_trick_commit_job(fender_trick *t)
{
    return checked(t, fender_trick_commit(t, exec_get_sim_time()), "fender_trick_commit");
}

int fender_trick_advance_job(fender_trick *t)
{
    return checked(t, fender_trick_advance_to(t, exec_get_sim_time()), "fender_trick_advance_to");
}

/* Trick writes what its memory manager knows: the snapshot is put into such memory first. */
int fender_trick_checkpoint_job(fender_trick *t)
{
    int size = 0;
    int status = checked(t, fender_trick_snapshot_take(t, &size), "fender_trick_snapshot_take");
    if (status != 0) return status;
    if (t->snapshot != 0) TMM_delete_var_a(t->snapshot);
    t->snapshot = (unsigned char *)TMM_declare_var_1d("unsigned char", size);
    t->snapshot_size = size;
    return checked(t, fender_trick_snapshot_read(t, t->snapshot, size), "fender_trick_snapshot_read");
}

int fender_trick_restart_job(fender_trick *t)
{
    return checked(t, fender_trick_snapshot_restore(t), "fender_trick_snapshot_restore");
}

int fender_trick_shutdown_job(fender_trick *t)
{
    fender_trick_shutdown(t);
    return 0;
}
