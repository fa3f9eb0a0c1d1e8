/* Section `links`. */
#include "scenario/parameters.h"
#include "scenario/section.h"
#include <string.h>

static const char *const link_keys[] = {"between", "law", "active", NULL};
static const char *const keys_of_strut[] = {"between", "law", "active", "curve", NULL};
static const char *const keys_of_contact[] = {"between", "law", "active", "use", NULL};

static bool read_ends(fnd_reader *reader, const fnd_node *list, fnd_link_description *link)
{
    if (!fnd_expect_list(reader, list, "between")) return false;
    if (list->count != 2) {
        fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_PARSE,
                     fnd_phrase_make("'between' needs two points, not %d", list->count).text,
                     fnd_phrase_make("%d", list->count).text, "two points", "write [a.port, b.port]");
        return false;
    }
    bool good = fnd_find_point(reader, list->first, true, &link->body[0], &link->point[0]);
    good = fnd_find_point(reader, list->last, true, &link->body[1], &link->point[1]) && good;
    if (!good || link->body[0] != link->body[1]) return good;
    const char *name = reader->scenario->bodies[link->body[0]].id.name;
    fnd_complain(reader, fnd_node_shown_location(list), FENDER_STATUS_ARGUMENT,
                 fnd_phrase_make("both points of the link are on body '%s'", name).text, name, "points of two bodies",
                 "");
    return false;
}

static bool read_law(fnd_reader *reader, const fnd_node *node, fender_link_law *law)
{
    enum { LIMIT = 16 };
    fnd_known_name names[LIMIT];
    const char *name = NULL;
    int count = 0;
    if (!fnd_read_text(reader, node, "law", &name)) return false;
    for (; count < LIMIT && fender_link_law_name((fender_link_law)count); count++) {
        names[count] = (fnd_known_name){fender_link_law_name((fender_link_law)count), 0};
        if (strcmp(names[count].name, name) != 0) continue;
        *law = (fender_link_law)count;
        return true;
    }
    fnd_complain(reader, &node->location, FENDER_STATUS_NAME,
                 fnd_phrase_make("no law of links is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                 "the name of a law of links", fnd_suggest(reader, name, "laws of links", names, count).text);
    return false;
}

/* `curve: [[0 mm, 100 N], [20 mm, 400 N]]` */
static bool read_curve(fnd_reader *reader, const fnd_node *list, fender_link_def *def)
{
    if (!fnd_expect_list(reader, list, "curve")) return false;
    fender_vec2 *points = fnd_keep(reader, (size_t)list->count, sizeof *points);
    if (!points) return false;
    int count = 0;
    for (const fnd_node *row = list->first; row; row = row->next) {
        if (!fnd_expect_list(reader, row, "a row of the curve")) return false;
        if (row->count != 2) {
            fnd_complain(reader, fnd_node_shown_location(row), FENDER_STATUS_PARSE,
                         fnd_phrase_make("a row of the curve has two numbers, not %d", row->count).text,
                         fnd_phrase_make("%d", row->count).text, "a compression and a force", "write [20 mm, 400 N]");
            return false;
        }
        fender_vec2 *point = &points[count++];
        if (!fnd_read_number(reader, row->first, "compression", "m", &point->x) ||
            !fnd_read_number(reader, row->last, "force", "N", &point->y))
            return false;
    }
    def->curve = points;
    def->curve_count = count;
    return true;
}

/* Checks of the whole load that the world would also make, with the location in the file. */
static void check_whole(fnd_reader *reader, const fnd_node *node, const fender_link_def *def)
{
    fender_error error = {0};
    if (!fender_link_check(def, &error)) return;
    const fnd_node *at = fnd_node_find(node, error.path);
    fnd_diagnostic_add_error(reader->diagnostics, &error, at ? &at->key_location : &node->key_location);
}

static bool uses_type(fender_link_law law) { return law == FENDER_LINK_CONTACT_LAW || law == FENDER_LINK_FRICTION; }

static void read_link(fnd_reader *reader, fnd_node *node, fnd_link_description *link)
{
    if (!fnd_expect_map(reader, node, node->key)) return;
    fnd_phrase what = fnd_phrase_make("link '%s'", fnd_shown(node->key).text);
    const fnd_node *law = fnd_require(reader, node, "law", what.text, "spring_damper");
    const fnd_node *between = fnd_require(reader, node, "between", what.text, "[BODY.POINT, BODY.POINT]");
    const fnd_node *active = fnd_node_find(node, "active");
    if (between) (void)read_ends(reader, between, link);
    if (active) (void)fnd_read_bool(reader, active, "active", &link->def.active);
    if (!law || !read_law(reader, law, &link->def.law)) return;
    int diagnostics = fnd_diagnostics_error_count(reader->diagnostics);
    fnd_parameter_set set = {.law = fender_link_law_name(link->def.law),
                             .topic = "links",
                             .table = fender_link_law_parameters(link->def.law),
                             .keys = link->def.law == FENDER_LINK_STRUT ? keys_of_strut
                                     : uses_type(link->def.law)         ? keys_of_contact
                                                                        : link_keys};
    link->def.parameters = fnd_read_parameters(reader, node, &set);
    const fnd_node *curve = link->def.law == FENDER_LINK_STRUT ? fnd_node_find(node, "curve") : NULL;
    if (curve && !read_curve(reader, curve, &link->def)) return;
    const fnd_node *use = NULL;
    if (uses_type(link->def.law) && (!(use = fnd_require(reader, node, "use", what.text, "CONTACT_TYPE")) ||
                                     !fnd_find_contact_type(reader, use, &link->use)))
        return;
    if (link->def.parameters && fnd_diagnostics_error_count(reader->diagnostics) == diagnostics)
        check_whole(reader, node, &link->def);
}

int fnd_find_link(fnd_reader *reader, const fnd_node *node, const char *name)
{
    for (int i = 0; i < reader->scenario->link_count; i++)
        if (strcmp(reader->scenario->links[i].id.name, name) == 0) return i;
    fnd_complain_unknown(reader, &node->location, "link", "links", name, fnd_node_find(reader->root, "links"));
    return -1;
}

void fnd_read_links(fnd_reader *reader, fnd_node *section)
{
    fender_scenario *scenario = reader->scenario;
    scenario->links = fnd_keep_section(reader, section, "links", sizeof *scenario->links);
    if (!scenario->links) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_link_description *link = &scenario->links[scenario->link_count++];
        link->id = fnd_read_name(reader, node, "a link");
        link->def = fender_link_def_default();
        link->def.name = node->key;
        link->body[0] = link->body[1] = link->use = -1;
        read_link(reader, node, link);
    }
}
