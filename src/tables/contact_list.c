/* Lists of contacts: tables with a row for each contact at a time, divided into a table of each contact. */
#include "support/io_error.h"
#include "tables/recording.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names by hash */

/* FNV-1a */
static size_t hash_of(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ (hash >> 32));
}

static bool is_name(const fnd_name_table *index, int number, const char *text, size_t length)
{
    return strncmp(index->names[number], text, length) == 0 && index->names[number][length] == '\0';
}

/* The slot that has the name, or the free one where it belongs. The number of slots is a power of two. */
static size_t find_slot(const fnd_name_table *index, const char *text, size_t length)
{
    size_t slot = hash_of(text, length) & (index->slot_count - 1);
    while (index->slots[slot] > 0 && !is_name(index, index->slots[slot] - 1, text, length))
        slot = (slot + 1) & (index->slot_count - 1);
    return slot;
}

int fnd_name_table_find(const fnd_name_table *index, const char *text, size_t length)
{
    return index->count > 0 ? index->slots[find_slot(index, text, length)] - 1 : -1;
}

/* Two slots for each name: at most half of them are taken. */
static bool enlarge(fnd_name_table *index, fnd_arena *arena)
{
    const int capacity = index->capacity > 0 ? 2 * index->capacity : 8;
    const char **names = FND_ARENA_NEW_ARRAY(arena, const char *, (size_t)capacity);
    int *slots = FND_ARENA_NEW_ARRAY(arena, int, 2 * (size_t)capacity);
    if (!names || !slots) return false;
    if (index->count > 0) memcpy(names, index->names, (size_t)index->count * sizeof *names);
    *index = (fnd_name_table){names, slots, index->count, capacity, 2 * (size_t)capacity};
    for (int i = 0; i < index->count; i++) slots[find_slot(index, names[i], strlen(names[i]))] = i + 1;
    return true;
}

bool fnd_name_table_add(fnd_name_table *index, fnd_arena *arena, const char *name)
{
    if (index->count == index->capacity && !enlarge(index, arena)) return false;
    index->names[index->count] = name;
    index->slots[find_slot(index, name, strlen(name))] = index->count + 1;
    index->count++;
    return true;
}

/* ---- whose a row is */

fnd_row_names *fnd_row_names_create(fnd_arena *arena, size_t rows)
{
    fnd_row_names *names = FND_ARENA_NEW(arena, fnd_row_names);
    if (!names) return NULL;
    names->of_row = FND_ARENA_NEW_ARRAY(arena, int, rows);
    return names->of_row ? names : NULL;
}

/* BODY.SHAPE */
static bool is_side(const char *text, size_t length)
{
    const char *point = length > 2 ? memchr(text + 1, '.', length - 2) : NULL;
    return point != NULL && text[0] != '.' && text[length - 1] != '.';
}

/* BODY.SHAPE:BODY.SHAPE, with a point of a cloud behind it as [12]. */
static bool is_contact(const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    if (!colon || memchr(text, ' ', length)) return false;
    return is_side(text, (size_t)(colon - text)) && is_side(colon + 1, (size_t)(text + length - colon - 1));
}

bool fnd_row_names_note(fnd_row_names *names, fnd_arena *arena, size_t row, const char *text, size_t length)
{
    if (names->foreign) return true;
    names->of_row[row] = -1;
    if (length == 0) return true;
    fnd_name_table *index = &names->index;
    /* the rows of one contact may stand together */
    int number = index->count > 0 && is_name(index, names->last, text, length)
                     ? names->last
                     : fnd_name_table_find(index, text, length);
    if (number < 0) {
        names->foreign = !is_contact(text, length);
        if (names->foreign) return true;
        number = index->count;
        const char *kept = fnd_arena_copy(arena, text, length);
        if (!kept || !fnd_name_table_add(index, arena, kept)) return false;
    }
    names->of_row[row] = names->last = number;
    return true;
}

const fnd_row_names *fnd_row_names_of_contacts(const fnd_row_names *names)
{
    return names && !names->foreign && names->index.count > 0 ? names : NULL;
}

int fnd_recording_contact_column(const fender_recording_table *table)
{
    int contact = -1;
    for (int i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].name, "event") == 0) return -1; /* a list of events */
        if (strcmp(table->columns[i].name, "contact") == 0) contact = i;
    }
    return contact;
}

bool fnd_recording_is_contact(const fender_recording_table *table)
{
    return table->contacts != NULL && table->contacts->divided;
}

bool fnd_recording_is_lapse(const fender_recording_table *table, size_t row)
{
    return fnd_recording_is_contact(table) && table->contacts->of_row[row] < 0;
}

/* ---- a table of each contact */

/* Where the rows of the contacts go: contact by contact, from first[k] to first[k + 1]. Rows of one time are an
 * instant; instants have numbers from 1. */
typedef struct plan {
    size_t *first;
    size_t *from;               /* the row of the list that goes to a place; of a lapse the one whose time it has */
    int *of;                    /* 0; -1: a lapse */
    size_t *at, *last, *begins; /* next place and last instant of a contact; first row of an instant */
} plan;

static void put(plan *p, int contact, size_t from, int of)
{
    const size_t place = p->at[contact]++;
    if (!p->from) return; /* these are counted */
    p->from[place] = from;
    p->of[place] = of;
}

/* In order of the rows. A contact lapses at the first instant at which it is not in the list, if it comes again. */
static void place_rows(const fender_recording_table *list, plan *p)
{
    const double *times = fender_recording_times(list);
    size_t instant = 0;
    for (size_t row = 0; row < list->row_count; row++) {
        if (row == 0 || times[row] != times[row - 1]) p->begins[++instant] = row;
        const int contact = list->contacts->of_row[row];
        if (contact < 0) continue;
        const size_t last = p->last[contact];
        if (last > 0 && instant > last + 1) put(p, contact, p->begins[last + 1], -1);
        put(p, contact, row, 0);
        p->last[contact] = instant;
    }
}

/* The marks of lapses stay with the tables; all else is passing. */
static bool make_plan(fnd_arena *passing, fnd_arena *arena, const fender_recording_table *list, plan *p)
{
    const size_t count = (size_t)list->contacts->index.count;
    memset(p, 0, sizeof *p);
    p->first = FND_ARENA_NEW_ARRAY(passing, size_t, count + 1);
    p->at = FND_ARENA_NEW_ARRAY(passing, size_t, count);
    p->last = FND_ARENA_NEW_ARRAY(passing, size_t, count);
    p->begins = FND_ARENA_NEW_ARRAY(passing, size_t, list->row_count + 1);
    if (passing->failed) return false;
    place_rows(list, p);
    for (size_t k = 0; k < count; k++) p->first[k + 1] = p->first[k] + p->at[k];
    memcpy(p->at, p->first, count * sizeof *p->at);
    memset(p->last, 0, count * sizeof *p->last);
    p->from = FND_ARENA_NEW_ARRAY(passing, size_t, p->first[count]);
    p->of = FND_ARENA_NEW_ARRAY(arena, int, p->first[count]);
    if (!p->from || !p->of) return false;
    place_rows(list, p);
    return true;
}

/* One column of all contacts, one behind the other. NULL: no memory. */
static const double *place_column(fnd_arena *arena, const fender_recording_table *list, const plan *p, int column)
{
    const size_t count = p->first[list->contacts->index.count];
    const double *values = list->columns[column].values;
    double *placed = FND_ARENA_NEW_ARRAY(arena, double, count);
    for (size_t i = 0; placed && i < count; i++)
        placed[i] = p->of[i] < 0 && column != list->time ? NAN : values[p->from[i]];
    return placed;
}

/* The table of one contact. placed: by column of the list; NULL: of words. */
static bool make_table(fnd_arena *arena, const fender_recording_table *list, const plan *p, const double *const *placed,
                       int which, fender_recording_table *to)
{
    char text[400];
    fnd_row_names *rows = FND_ARENA_NEW(arena, fnd_row_names);
    *to = (fender_recording_table){.file = list->file, .cut = list->cut && which == 0, .contacts = rows};
    to->row_count = p->first[which + 1] - p->first[which];
    to->columns = FND_ARENA_NEW_ARRAY(arena, fender_recording_column, (size_t)list->column_count);
    if (!rows || !to->columns) return false;
    *rows = (fnd_row_names){.of_row = p->of + p->first[which], .divided = true};
    for (int i = 0; i < list->column_count; i++) {
        if (!placed[i]) continue;
        fender_recording_column *column = &to->columns[to->column_count];
        *column = list->columns[i];
        column->values = placed[i] + p->first[which];
        if (i == list->time) to->time = to->column_count;
        to->column_count++;
        if (i == list->time) continue;
        const int length = snprintf(text, sizeof text, "%.330s.%.60s", list->contacts->index.names[which],
                                    column->name);
        column->name = fnd_arena_copy(arena, text, (size_t)length);
    }
    return !arena->failed;
}

/* Tables of all contacts of a list. The work is that of the cells, however many the contacts are. */
static bool divide(fnd_arena *arena, const fender_recording_table *list, fender_recording_table *to)
{
    fnd_arena passing = fnd_arena_open(&arena->allocator, 0);
    plan p;
    const double **placed = FND_ARENA_NEW_ARRAY(&passing, const double *, (size_t)list->column_count);
    bool good = placed && make_plan(&passing, arena, list, &p);
    for (int i = 0; good && i < list->column_count; i++) {
        placed[i] = list->columns[i].values ? place_column(arena, list, &p, i) : NULL;
        good = !arena->failed;
    }
    for (int k = 0; good && k < list->contacts->index.count; k++) good = make_table(arena, list, &p, placed, k, &to[k]);
    fnd_arena_close(&passing);
    return good;
}

static bool is_list(const fender_recording_table *table) { return table->contacts && !table->contacts->divided; }

fender_status fender_recording_split_contacts(fender_recording *recording, fender_error *error)
{
    fnd_arena *arena = recording->memory;
    int count = 0, used = 0;
    for (int i = 0; i < recording->table_count; i++)
        count += is_list(&recording->tables[i]) ? recording->tables[i].contacts->index.count : 1;
    fender_recording_table *tables = FND_ARENA_NEW_ARRAY(arena, fender_recording_table, (size_t)count);
    if (!tables) return fnd_io_fail_memory(error, "the tables of contacts");
    for (int i = 0; i < recording->table_count; i++) {
        const fender_recording_table *table = &recording->tables[i];
        if (!is_list(table)) {
            tables[used++] = *table;
            continue;
        }
        if (!divide(arena, table, tables + used)) return fnd_io_fail_memory(error, "the tables of contacts");
        used += table->contacts->index.count;
    }
    recording->tables = tables;
    recording->table_count = recording->table_capacity = used;
    return fnd_recording_list_numbers(recording, error);
}
