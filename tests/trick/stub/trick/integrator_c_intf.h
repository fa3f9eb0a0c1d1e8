/* The functions of Trick's header of this name that the jobs call; test_jobs.c stands in for Trick. */
#ifndef TEST_TRICK_INTEGRATOR_C_INTF_H
#define TEST_TRICK_INTEGRATOR_C_INTF_H

int integrate(void);
double get_integ_dt(void);
double get_integ_target_time(void);
int get_intermediate_step(void);
void load_indexed_state(unsigned int index, double state);
void load_indexed_deriv(unsigned int index, double deriv);
double unload_indexed_state(unsigned int index);

#endif
