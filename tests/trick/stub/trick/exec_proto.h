/* The functions of Trick's header of this name that the jobs call; test_jobs.c stands in for Trick. */
#ifndef TEST_TRICK_EXEC_PROTO_H
#define TEST_TRICK_EXEC_PROTO_H

double exec_get_sim_time(void);
int exec_terminate_with_return(int code, const char *file, int line, const char *message);

#endif
