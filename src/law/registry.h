/* The registry's inside, for who adds to it. */
#ifndef FND_LAW_REGISTRY_H
#define FND_LAW_REGISTRY_H

#include <fender/law.h>

typedef struct fnd_registered {
    const fender_law *law;
    fender_law *copy; /* of an older law, with room for what it does not know; NULL: law is its author's */
} fnd_registered;

/* A shared library that laws lie in. */
typedef struct fnd_law_library {
    void *handle;
    void (*release)(void *handle);
} fnd_law_library;

/* FENDER_STATUS_OK: all that is called and read of a law is there. */
fender_status fnd_law_check(const fender_law *law, fender_error *error);

int fnd_registry_count(const fender_registry *registry); /* of its own laws */
/* Forgets the laws from that one on. */
void fnd_registry_cut(fender_registry *registry, int count);
/* False: no memory. */
bool fnd_registry_hold(fender_registry *registry, fnd_law_library library);

#endif
