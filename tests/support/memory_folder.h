/* A working folder in memory, where there is one, for tests that would wait for the disk a thousand times. */
#ifndef FENDER_TESTS_MEMORY_FOLDER_H
#define FENDER_TESTS_MEMORY_FOLDER_H

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static char memory_folder_path[] = "/dev/shm/fender_test_XXXXXX";
static bool in_memory_folder;

static inline void memory_folder_enter(void)
{
    in_memory_folder = mkdtemp(memory_folder_path) != NULL && chdir(memory_folder_path) == 0;
}

/* Removes it with the files in it; 0 when that worked. */
static inline int memory_folder_leave(void)
{
    if (!in_memory_folder) return 0;
    DIR *listing = opendir(".");
    for (struct dirent *entry = listing ? readdir(listing) : NULL; entry; entry = readdir(listing))
        (void)unlink(entry->d_name);
    if (listing) closedir(listing);
    return rmdir(memory_folder_path);
}

#endif
