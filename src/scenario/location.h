/* Where something was written, for diagnostics that come long after parsing. */
#ifndef FND_SCENARIO_LOCATION_H
#define FND_SCENARIO_LOCATION_H

/* All texts live as long as the scenario. line 0: no place. */
typedef struct fnd_location {
    const char *file;
    int line, column, length; /* 1-based, in characters */
    const char *excerpt;      /* the line of the file */
} fnd_location;

#endif
