/* Channels that formulas of loads name: states of bodies and points, read at the state that is evaluated. */
#include "scenario/formula.h"
#include "scenario/section.h"

#include <fender/units.h>
#include <string.h>

/* Quantities by fender_state_quantity, as the channels name them. */
static const struct {
    const char *name, *unit;
    const char *components; /* "" : a number */
} quantities[] = {
    [FENDER_STATE_POSITION] = {"position", "m", "xyz"},
    [FENDER_STATE_VELOCITY] = {"velocity", "m/s", "xyz"},
    [FENDER_STATE_ATTITUDE] = {"attitude", "1", "wxyz"},
    [FENDER_STATE_ANGULAR_VELOCITY] = {"angular_velocity", "rad/s", "xyz"},
    [FENDER_STATE_CENTER_POSITION] = {"center_position", "m", "xyz"},
    [FENDER_STATE_CENTER_VELOCITY] = {"center_velocity", "m/s", "xyz"},
    [FENDER_STATE_MASS] = {"mass", "kg", ""},
};
enum { QUANTITY_COUNT = sizeof quantities / sizeof quantities[0], LAST_OF_POINTS = FENDER_STATE_ANGULAR_VELOCITY };

bool fnd_formula_names_channel(const char *name)
{
    static const char *const sections[] = {"bodies", "points",  "contacts", "links",  "loads",
                                           "ledger", "sensors", "shapes",   "events", NULL};
    const size_t length = strcspn(name, ".");
    for (int i = 0; sections[i] && name[length] == '.'; i++)
        if (strlen(sections[i]) == length && strncmp(sections[i], name, length) == 0) return true;
    return false;
}

typedef struct place {
    fnd_reader *reader;
    const char *name; /* all of it */
    const fnd_location *location;
} place;

static int refuse(const place *at, fender_status status, const char *message, const char *expected, const char *remedy)
{
    fnd_complain(at->reader, at->location, status, message, fnd_shown(at->name).text, expected, remedy);
    return -1;
}

/* The word before the next '.', and what follows it. */
static char *next_word(fnd_reader *reader, const char **rest)
{
    const size_t length = strcspn(*rest, ".");
    char *word = fnd_keep_text(reader, *rest, length);
    *rest += length + ((*rest)[length] == '.');
    return word;
}

static int refuse_result(const place *at, bool point)
{
    return refuse(at, FENDER_STATUS_ARGUMENT,
                  fnd_phrase_make("'%s' is no state that a formula can read", fnd_shown(at->name).text).text,
                  point ? "position, velocity, attitude or angular_velocity of a point"
                        : "position, velocity, attitude, angular_velocity, center_position, center_velocity or mass of "
                          "a body, or the motion of a point",
                  "results of a step are known at its end alone: a controller reads any channel, and commands loads");
}

/* "velocity.x" */
static bool find_quantity(const place *at, const char *field, bool point, fnd_reading_description *reading)
{
    const size_t length = strcspn(field, ".");
    int quantity = 0;
    const int count = point ? LAST_OF_POINTS + 1 : QUANTITY_COUNT;
    while (quantity < count &&
           (strlen(quantities[quantity].name) != length || strncmp(quantities[quantity].name, field, length) != 0))
        quantity++;
    if (quantity == count) return refuse_result(at, point) >= 0;
    const char *letters = quantities[quantity].components, *rest = field + length;
    reading->quantity = (fender_state_quantity)quantity;
    reading->component = 0;
    if (!*letters && !*rest) return true;
    const char *letter = rest[0] == '.' && rest[1] && !rest[2] ? strchr(letters, rest[1]) : NULL;
    reading->component = letter ? (int)(letter - letters) : 0;
    if (letter) return true;
    const char *good = !*letters ? "" : letters[0] == 'w' ? ".w, .x, .y or .z" : ".x, .y or .z";
    (void)refuse(
        at, FENDER_STATUS_NAME,
        *letters ? fnd_phrase_make("'%s' needs one component", quantities[quantity].name).text
                 : fnd_phrase_make("'%s' has no components", quantities[quantity].name).text,
        *letters ? fnd_phrase_make("%s behind '%s'", good, quantities[quantity].name).text : "a number",
        fnd_phrase_make("write %.*s%s", (int)(strlen(at->name) - strlen(rest)), at->name, *letters ? ".x" : "").text);
    return false;
}

static int find_body(const place *at, const char *name)
{
    const fender_scenario *s = at->reader->scenario;
    for (int i = 0; i < s->body_count; i++)
        if (strcmp(s->bodies[i].id.name, name) == 0) return i;
    fnd_complain_unknown(at->reader, at->location, "body", "bodies", name, fnd_node_find(at->reader->root, "bodies"));
    return -1;
}

static int find_point(const place *at, int body, const char *name)
{
    const fnd_body_description *b = &at->reader->scenario->bodies[body];
    fnd_known_name *candidates = fnd_keep(at->reader, (size_t)b->point_count + 1, sizeof *candidates);
    if (!candidates) return -1;
    for (int i = 0; i < b->point_count; i++) {
        if (strcmp(b->points[i].id.name, name) == 0) return i;
        candidates[i] = (fnd_known_name){b->points[i].id.name, 0};
    }
    if (at->reader->points_failed[body]) return -1;
    return refuse(at, FENDER_STATUS_NAME,
                  fnd_phrase_make("body '%s' has no point '%s'", b->id.name, fnd_shown(name).text).text,
                  "points.BODY.POINT.FIELD", fnd_suggest(at->reader, name, "points", candidates, b->point_count).text);
}

int fnd_formula_find_channel(fnd_formula *n, const char *name, const fnd_location *location)
{
    const place at = {n->reader, name, location};
    if (!n->kind->reads)
        return refuse(&at, FENDER_STATUS_ARGUMENT, "a law knows the numbers of its contact alone, and no channels",
                      n->kind->what, "a load with a formula reads the motion of bodies and points");
    const char *rest = name;
    const char *section = next_word(n->reader, &rest);
    const bool point = section && strcmp(section, "points") == 0;
    if (!section || (!point && strcmp(section, "bodies") != 0)) return refuse_result(&at, false);
    fnd_reading_description reading = {.point = -1};
    const char *body = next_word(n->reader, &rest);
    if (!body || (reading.body = find_body(&at, body)) < 0) return -1;
    const char *of_body = point ? next_word(n->reader, &rest) : NULL;
    if (point && (!of_body || (reading.point = find_point(&at, reading.body, of_body)) < 0)) return -1;
    if (!find_quantity(&at, rest, point, &reading)) return -1;
    const int first = n->kind->slot_count;
    for (int i = 0; i < n->reading_count; i++) {
        const fnd_reading_description *r = &n->readings[i];
        if (r->body == reading.body && r->point == reading.point && r->quantity == reading.quantity &&
            r->component == reading.component)
            return first + i;
    }
    if (n->reading_count == FENDER_LOAD_READING_CAPACITY)
        return refuse(&at, FENDER_STATUS_VALUE, "the formula reads too many channels", "at most 24 channels",
                      "make two loads of it");
    const char *unit_text = quantities[reading.quantity].unit;
    fender_unit unit;
    (void)fender_unit_parse(unit_text, strlen(unit_text), &unit, NULL);
    fnd_quantity *value = &n->values[first + n->reading_count];
    memcpy(value->exponent, unit.exponent, sizeof unit.exponent);
    value->unknown = true;
    n->readings[n->reading_count] = reading;
    return first + n->reading_count++;
}
