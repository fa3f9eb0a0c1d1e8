/* The functions of Trick's header of this name that the jobs call; test_jobs.c stands in for Trick. */
#ifndef TEST_TRICK_MEMORYMANAGER_C_INTF_H
#define TEST_TRICK_MEMORYMANAGER_C_INTF_H

void *TMM_declare_var_1d(const char *type, int count);
void TMM_delete_var_a(void *address);

#endif
