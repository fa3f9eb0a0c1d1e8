/* Section `loads`. */
#include <string.h>

#include "scenario/section.h"

static void read_point(fnd_reader *reader, const fnd_node *at, const fnd_node *position, fnd_load_description *load)
{
    fender_load_def *def = &load->def;
    if (at && position) {
        fnd_complain(reader, &position->key_place, FENDER_STATUS_ARGUMENT, "'position' stands beside 'at'", "both",
                     "one of them, or neither for the centre of mass", "remove one of them");
        return;
    }
    const char *name = NULL;
    if (at && fnd_read_text(reader, at, "at", &name) && strcmp(name, "center") != 0 && load->body >= 0) {
        int point = fnd_find_point_of(reader, at, name, load->body);
        if (point < 0) return;
        def->at_center = false;
        def->point = reader->scenario->bodies[load->body].points[point].X_SP.p;
    }
    if (!position) return;
    def->at_center = false;
    (void)fnd_read_vector(reader, position, "position", "m", &def->point);
}

static void read_load(fnd_reader *reader, fnd_node *node, fnd_load_description *load)
{
    static const fnd_key keys[] = {{"body", false},   {"at", false},   {"position", false}, {"force", false},
                                   {"torque", false}, {"axes", false}, {"active", false},   {NULL, false}};
    static const char *const axes_names[] = {"world", "body", NULL};
    if (!fnd_expect_map(reader, node, node->key)) return;
    (void)fnd_check_keys(reader, node, "a load", keys);
    const char *name = NULL;
    fnd_phrase what = fnd_phrase_make("load '%s'", fnd_shown(node->key).text);
    fnd_node *body = fnd_require(reader, node, "body", what.text, "NAME");
    fnd_node *force = fnd_node_find(node, "force"), *torque = fnd_node_find(node, "torque");
    fnd_node *axes = fnd_node_find(node, "axes"), *active = fnd_node_find(node, "active");
    if (body && fnd_read_text(reader, body, "body", &name)) load->body = fnd_find_body(reader, body, name);
    read_point(reader, fnd_node_find(node, "at"), fnd_node_find(node, "position"), load);
    if (!force && !torque && !fnd_is_misspelt_in(node, "force") && !fnd_is_misspelt_in(node, "torque"))
        fnd_complain(reader, &node->key_place, FENDER_STATUS_ARGUMENT,
                     fnd_phrase_make("%s has neither force nor torque", what.text).text, "nothing",
                     "'force' or 'torque'", "add 'force: {constant: [0, 0, 5, N]}'");
    if (force) (void)fnd_read_signal(reader, force, "force", "N", &load->def.force);
    if (torque) (void)fnd_read_signal(reader, torque, "torque", "N*m", &load->def.torque);
    int index = 0;
    if (axes && fnd_read_choice(reader, axes, "axes", axes_names, &index))
        load->def.axes = index == 0 ? FENDER_AXES_WORLD : FENDER_AXES_BODY;
    if (active) (void)fnd_read_bool(reader, active, "active", &load->def.active);
}

void fnd_read_loads(fnd_reader *reader, fnd_node *section)
{
    if (!section || !fnd_expect_map(reader, section, "loads")) return;
    fender_scenario *scenario = reader->scenario;
    scenario->loads = fnd_keep(reader, (size_t)section->count, sizeof *scenario->loads);
    if (!scenario->loads) return;
    for (fnd_node *node = section->first; node; node = node->next) {
        fnd_load_description *load = &scenario->loads[scenario->load_count++];
        (void)fnd_check_name(reader, node->key, &node->key_place, "a load");
        load->id = (fnd_named){node->key, node->key_place};
        load->def = fender_load_def_default();
        load->def.name = node->key;
        load->body = -1;
        read_load(reader, node, load);
    }
}
