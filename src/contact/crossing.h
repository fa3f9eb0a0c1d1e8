/* Functions of a state whose change of sign ends a step: gaps of pairs apart, reach of contacts, roots of laws. */
#ifndef FND_CONTACT_CROSSING_H
#define FND_CONTACT_CROSSING_H

#include "contact/contact_set.h"

typedef enum fnd_crossing_kind {
    FND_CROSSING_BEGIN,
    FND_CROSSING_PART,
    FND_CROSSING_LAW,
    FND_CROSSING_LINK /* key: UINT32_MAX, number of the link */
} fnd_crossing_kind;

/* One function: positive while things stay as they are. */
typedef struct fnd_crossing {
    fnd_key key;
    int kind, root; /* fnd_crossing_kind; number of a law's root */
    double value;
    double rate; /* per second; NaN when it is not known */
} fnd_crossing;
typedef struct fnd_crossing_list {
    fnd_crossing *items;
    int count, capacity;
} fnd_crossing_list;

/* What is watched, and what is known already. */
typedef struct fnd_watch_scope {
    double horizon;                  /* s; balls and solids on terrain that cannot touch or part within it, at twice the
                                        present speed, are left out; 0: none is */
    const fnd_crossing_list *wanted; /* borders of pairs that it does not have are left out; NULL: none is */
    const fnd_contact_list *rows;    /* the contacts at that state, with frozen modes; NULL: they are not known */
} fnd_watch_scope;

/* All of them at a state, in the order of keys, kinds, roots. False: no memory. */
bool fnd_crossings_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, double time, const fnd_watch_scope *scope, fnd_crossing_list *out);
/* Certainly no function changes sign within a step of scope->horizon, and no pair apart need be watched at its end:
 * scope->rows are the contacts there, `before` those at its start, where no pair apart was to be watched. False: it is
 * to be looked at. */
bool fnd_crossings_quiet(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                         const fnd_watch_scope *scope, const fnd_contact_list *before);
/* Number of functions of pairs apart in the list. */
int fnd_crossings_apart(const fnd_crossing_list *list);
/* Number of functions of whether pairs touch: of pairs apart, and of pairs with pair events that touch. */
int fnd_crossings_borders(const fnd_crossing_list *list);
/* Does either list have such functions of the same pairs? */
bool fnd_crossings_alike(const fnd_crossing_list *one, const fnd_crossing_list *other);
/* Those that are in either list. False: no memory. */
bool fnd_crossings_join(const fender_env *env, const fnd_crossing_list *one, const fnd_crossing_list *other,
                        fnd_crossing_list *out);
/* One more, behind all that are there. False: no memory. */
bool fnd_crossing_add(const fender_env *env, fnd_crossing_list *out, fnd_crossing crossing);
/* The same function in another list, or NULL. *from is where to look on; both lists are walked in order. */
const fnd_crossing *fnd_crossing_match(const fnd_crossing_list *list, const fnd_crossing *crossing, int *from);

#endif
