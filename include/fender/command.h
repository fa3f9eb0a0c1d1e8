/* fender/command.h - quantities of a world that may be set while it runs, by name. Library fender_io.
 *
 * Actions of scenarios, controllers, FMUs and host programs set forces, lengths, switches and motion through this one
 * table, so that each has the same names, units and refusals everywhere. */
#ifndef FENDER_COMMAND_H
#define FENDER_COMMAND_H

#include "fender.h"

enum { FENDER_COMMAND_CAPACITY = 9 }; /* numbers of one command at most */

/* A command that was found. Valid while the object that it names exists. */
typedef struct fender_command {
    char name[192];   /* "loads.engine.force", "loads.engine.force.z" */
    const char *unit; /* of each number; static */
    const char *doc;  /* one sentence; static */
    int count;        /* numbers that it takes: 1 for a component, a number or a switch */
    bool is_switch;   /* takes 0 or 1 */
    /* private */
    const struct fnd_command_row *row;
    int component;  /* -1: all */
    uint32_t id[2]; /* of the object */
} fender_command;

/* Finds a command: "loads.NAME.force", or one component "loads.NAME.force.x". NAME with a suggestion if the world has
 * no such object, or it has no such command. */
FENDER_API fender_status fender_command_find(const fender_world *world, const char *name, fender_command *command,
                                             fender_error *error);
/* Sets it, in SI units. Takes effect at the present time; what stored energy changes is booked as applied. VALUE if a
 * number is not finite or out of range; STALE_ID if the object is gone; and what the setter of the object refuses.
 * Nothing is changed then. Not thread-safe for one world. */
FENDER_API fender_status fender_command_set(fender_world *world, const fender_command *command, const double *values,
                                            fender_error *error);
/* Refuses what fender_command_set would refuse in any state of the world: numbers that are not finite or out of range,
 * the motion of bodies that are fixed, the gravity of planets. What depends on the state or on other commands is for
 * fender_command_set: which bodies are attached, and parameters of links, such as the stiffness that a length needs.
 * Needs no initialized world; changes nothing. */
FENDER_API fender_status fender_command_check(const fender_world *world, const fender_command *command,
                                              const double *values, fender_error *error);
/* The present value. */
FENDER_API fender_status fender_command_get(const fender_world *world, const fender_command *command, double *values);

/* Enumerates the kinds of commands, for `fender info commands`: false past the end. */
typedef struct fender_command_kind {
    const char *path, *unit, *doc; /* static: "loads.NAME.force" */
    int count;
    bool is_switch;
} fender_command_kind;
FENDER_API bool fender_command_kind_at(int index, fender_command_kind *kind);

#endif
