/* Commit of quick contacts that go on: see quick_commit.c. */
#ifndef FND_CONTACT_QUICK_COMMIT_H
#define FND_CONTACT_QUICK_COMMIT_H

#include "contact/contact_set.h"

/* `rows` are its sights, one for each evaluation of the passage; `work` is what it has done on the bodies. */
void fnd_quick_commit(fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                      const fnd_passage *passage, const fnd_contact *const *rows, const fnd_contact *now, double work);

#endif
