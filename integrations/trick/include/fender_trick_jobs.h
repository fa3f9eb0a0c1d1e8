/***********************TRICK HEADER*************************
PURPOSE:
    (Jobs of a Trick sim for a Fender world. A job that fails ends the sim with the message of Fender.)
LIBRARY DEPENDENCIES:
    ((src/fender_trick.c) (src/fender_trick_jobs.c))
*************************************************************/
#ifndef FENDER_TRICK_JOBS_H
#define FENDER_TRICK_JOBS_H

#include "fender_trick.h"

#ifdef __cplusplus
extern "C" {
#endif

int fender_trick_initialize_job(fender_trick *t);  /* initialization */
int fender_trick_command_job(fender_trick *t);     /* pre_integration */
int fender_trick_derivative_job(fender_trick *t);  /* derivative */
int fender_trick_integration_job(fender_trick *t); /* integration; by any single-step method */
double fender_trick_event_job(fender_trick *t);    /* dynamic_event */
int fender_trick_commit_job(fender_trick *t);      /* post_integration */
int fender_trick_advance_job(fender_trick *t);     /* scheduled, instead of the five above */
int fender_trick_checkpoint_job(fender_trick *t);  /* checkpoint */
int fender_trick_restart_job(fender_trick *t);     /* restart */
int fender_trick_shutdown_job(fender_trick *t);    /* shutdown */

#ifdef __cplusplus
}
#endif

#endif
