/* Tables with a row for each contact of a state. */
#ifndef FND_RUN_CONTACT_ROWS_H
#define FND_RUN_CONTACT_ROWS_H

#include "run/moment.h"
#include "run/table_place.h"

fender_status fnd_contact_rows_open(fnd_table *table, const fnd_table_place *place, const fnd_table_mark *from,
                                    fender_error *error);
/* A row for each pair that touches, the sum of its contacts, and for each touching point of a cloud; until the table
 * has `limit` rows. `type`: of contacts of that type alone; NULL: of all. */
fender_status fnd_contact_rows_write(fnd_table *table, const fnd_moment *moment, const fender_contact_type_id *type,
                                     int64_t limit, fender_error *error);
/* Of the contacts to which something has happened and that still exist. */
fender_status fnd_contact_rows_of_events(fnd_table *table, const fnd_moment *moment, fender_error *error);

#endif
