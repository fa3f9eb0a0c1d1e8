/* A row for each contact of a state: of a patch the sum, of a cloud its points. */
#include "run/contact_rows.h"

#include "record/channel.h"

enum { PAIR_NAME_SIZE = 420 };

fender_status fnd_contact_rows_open(fnd_table *table, const fnd_table_place *place, const fnd_table_mark *from,
                                    fender_error *error)
{
    static const struct {
        const char *name, *unit;
    } heads[] = {{"depth", "m"},   {"normal_force", "N"}, {"friction_force", "N"}, {"point.x", "m"}, {"point.y", "m"},
                 {"point.z", "m"}, {"force.x", "N"},      {"force.y", "N"},        {"force.z", "N"}};
    size_t row_size = 10 * FND_TABLE_NUMBER_SIZE + FND_TABLE_TEXT_SIZE(PAIR_NAME_SIZE);
    fender_status status = fnd_table_open_at(table, place, row_size, from, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_table_head(table, "time", "s");
    fnd_table_head_of_texts(table, "contact", PAIR_NAME_SIZE);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) fnd_table_head(table, heads[i].name, heads[i].unit);
    status = fnd_table_end_header(table, error);
    if (status != FENDER_STATUS_OK) fnd_table_close(table, NULL);
    return status;
}

static fender_status write_row(fnd_table *table, const fnd_moment *moment, const fender_contact_data *contact,
                               fender_error *error)
{
    char pair[PAIR_NAME_SIZE];
    fnd_contact_name(moment->world, contact->a, contact->b, contact->feature, pair, sizeof pair);
    fnd_table_number(table, moment->time);
    fnd_table_text(table, pair);
    fnd_table_number(table, contact->depth);
    fnd_table_number(table, contact->normal_force);
    fnd_table_number(table, contact->friction_force);
    fnd_table_number(table, contact->point.x);
    fnd_table_number(table, contact->point.y);
    fnd_table_number(table, contact->point.z);
    fnd_table_number(table, contact->force.x);
    fnd_table_number(table, contact->force.y);
    fnd_table_number(table, contact->force.z);
    return fnd_table_end_row(table, error);
}

static bool same_pair(fender_shape_id a, fender_shape_id b, fender_shape_id c, fender_shape_id d)
{
    return a.index1 == c.index1 && b.index1 == d.index1;
}

fender_status fnd_contact_rows_write(fnd_table *table, const fnd_moment *moment, const fender_contact_type_id *type,
                                     int64_t limit, fender_error *error)
{
    int count = fender_contact_count(moment->world, FENDER_CLOCK_COMMITTED);
    fender_shape_id last_a = {0, 0}, last_b = {0, 0};
    bool points = false;
    for (int i = 0; i < count && table->rows < limit; i++) {
        fender_contact_data contact;
        if (fender_contact_at(moment->world, FENDER_CLOCK_COMMITTED, i, &contact) != FENDER_STATUS_OK ||
            (type && contact.type.index1 != type->index1))
            continue;
        if (!same_pair(contact.a, contact.b, last_a, last_b)) {
            last_a = contact.a;
            last_b = contact.b;
            points = fnd_pair_point_count(moment->world, last_a, last_b) > 0;
            if (!points && fender_contact_between(moment->world, last_a, last_b, &contact) != FENDER_STATUS_OK)
                continue;
        } else if (!points) {
            continue;
        }
        fender_status status = write_row(table, moment, &contact, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}

static bool find_point(const fender_world *world, const fender_event *event, fender_contact_data *contact)
{
    int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
    for (int i = 0; i < count; i++)
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, contact) == FENDER_STATUS_OK &&
            same_pair(contact->a, contact->b, event->a, event->b) && contact->feature == event->feature)
            return true;
    return false;
}

fender_status fnd_contact_rows_of_events(fnd_table *table, const fnd_moment *moment, fender_error *error)
{
    const fender_world *world = moment->world;
    for (int i = 0; i < moment->event_count; i++) {
        const fender_event *event = &moment->events[i];
        if (event->kind == FENDER_EVENT_TERMINATE || event->a.index1 == 0) continue;
        bool points = fnd_pair_point_count(world, event->a, event->b) > 0, told = false;
        for (int k = 0; k < i && !told; k++)
            told = same_pair(event->a, event->b, moment->events[k].a, moment->events[k].b) &&
                   moment->events[k].kind != FENDER_EVENT_TERMINATE &&
                   (!points || event->feature == moment->events[k].feature);
        fender_contact_data contact;
        if (told || !(points ? find_point(world, event, &contact)
                             : fender_contact_between(world, event->a, event->b, &contact) == FENDER_STATUS_OK))
            continue;
        fender_status status = write_row(table, moment, &contact, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    return FENDER_STATUS_OK;
}
