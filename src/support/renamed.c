/* The table of former names: a renamed key, event or channel gets its row here and nowhere else. */
#include "support/renamed.h"

#include <stdio.h>
#include <string.h>

static const fnd_renamed table[] = {
    /* 0.1 to 0.2 */
    {FND_RENAMED_KEY, "touch", "begin"},
    {FND_RENAMED_KEY, "release", "end"},
    {FND_RENAMED_EVENT, "touch", "begin"},
    {FND_RENAMED_EVENT, "release", "end"},
    {FND_RENAMED_CHANNEL, "events.touch", "events.begin"},
    {FND_RENAMED_CHANNEL, "events.release", "events.end"},
};
enum { ROW_COUNT = sizeof table / sizeof table[0] };
_Static_assert(ROW_COUNT <= FND_RENAMED_CAPACITY, "callers keep a bit for each row");

static bool fits(const fnd_renamed *row, const char *name)
{
    if (row->kind != FND_RENAMED_CHANNEL) return strcmp(name, row->before) == 0;
    size_t length = strlen(row->before);
    return strncmp(name, row->before, length) == 0 && (name[length] == '.' || name[length] == '\0');
}

const fnd_renamed *fnd_renamed_find(fnd_renamed_kind kind, const char *name)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (table[i].kind == kind && fits(&table[i], name)) return &table[i];
    return NULL;
}

const fnd_renamed *fnd_renamed_find_present(fnd_renamed_kind kind, const char *name)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (table[i].kind == kind && strcmp(table[i].now, name) == 0) return &table[i];
    return NULL;
}

int fnd_renamed_number(const fnd_renamed *row) { return (int)(row - table); }

bool fnd_renamed_channel(const fnd_renamed *row, const char *name, char *to, size_t size)
{
    int length = snprintf(to, size, "%s%s", row->now, name + strlen(row->before));
    return length >= 0 && (size_t)length < size;
}
