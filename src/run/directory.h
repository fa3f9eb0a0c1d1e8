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
#define FND_FILE_EPISODES "episodes.csv"
#define FND_FILE_HASHES   "hashes.csv"
#define FND_FILE_SOURCES  "scenario.sources"
#define FND_FILE_COMMANDS "commands.csv" /* of a run that a host commands */
/* These are there for a while, or after a failure. */
#define FND_FILE_REPORT       "report.html" /* that of `fender report` */
#define FND_FILE_CHECKPOINT_0 "checkpoint_0.fcp"
#define FND_FILE_CHECKPOINT_1 "checkpoint_1.fcp"
#define FND_FILE_LAST_GOOD    "last_good.fsnap"
/* How every summary begins: it marks a directory as made by a run. */
#define FND_SUMMARY_MARK "{\"format\":\"fender-summary\""

/* Makes the directory, or checks that it is empty or holds an earlier run, whose files it then removes. FILE, with what
 * to do, for anything else, and while another run writes into it. *lock keeps other runs out until fnd_directory_leave,
 * or the end of the process. */
fender_status fnd_directory_prepare(const fender_env *env, const char *directory, int *lock, fender_error *error);
/* Goes back into the directory of an interrupted run: locks it and removes what a killed process has left half
 * written. *complete: that run came to its end. FILE, with nothing touched, when it is no run's directory or in use. */
fender_status fnd_directory_enter(const fender_env *env, const char *directory, int *lock, bool *complete,
                                  fender_error *error);
/* FILE, with what to do, unless the directory was made by a run. */
fender_status fnd_directory_check(const fender_env *env, const char *directory, fender_error *error);
/* Removes a file of the directory if it is there. */
void fnd_directory_remove(const char *directory, const char *name);
bool fnd_directory_holds(const char *directory, const char *name);
void fnd_directory_leave(int *lock); /* -1 is fine */
/* "directory/name" in memory of the allocator; NULL when there is none. *size is what must be released. */
char *fnd_directory_path(const fender_allocator *allocator, const char *directory, const char *name, size_t *size);
/* True if the run itself writes a file of this name. */
bool fnd_directory_is_own_name(const char *name);
/* May a recording of a run have this name? A plain file name that the run does not use itself. */
bool fnd_directory_is_free_name(const char *name);

#endif
