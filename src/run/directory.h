/* The directory of a run: made, or taken over from an earlier run. */
#ifndef FND_RUN_DIRECTORY_H
#define FND_RUN_DIRECTORY_H

#include <fender/base.h>

/* Names that a run writes by itself. */
#define FND_FILE_SUMMARY  "summary.json"
#define FND_FILE_SCENE    "scene.json"
#define FND_FILE_SCENARIO "scenario.yaml"
#define FND_FILE_REPLAY   "replay.csv"
#define FND_FILE_CONTACTS "contacts.csv"
#define FND_FILE_EVENTS   "events.csv"
/* How every summary begins: it marks a directory as made by a run. */
#define FND_SUMMARY_MARK "{\"format\":\"fender-summary\""

/* Makes the directory, or checks that it is empty or holds an earlier run, whose files it then removes. FILE, with what
 * to do, for anything else, and while another run writes into it. *lock keeps other runs out until fnd_directory_leave,
 * or the end of the process. */
fender_status fnd_directory_prepare(const fender_env *env, const char *directory, int *lock, fender_error *error);
void fnd_directory_leave(int *lock); /* -1 is fine */
/* "directory/name" in memory of the allocator; NULL when there is none. *size is what must be released. */
char *fnd_directory_path(const fender_allocator *allocator, const char *directory, const char *name, size_t *size);
/* Does the run write a file of this name by itself? */
bool fnd_directory_is_own_name(const char *name);
/* May a recording of a run have this name? A plain file name that the run does not use itself. */
bool fnd_directory_is_free_name(const char *name);

#endif
