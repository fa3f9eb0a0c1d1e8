/* `material: steel` in the parameters of a law: names, and what they stand for. */
#include "scenario/known_material.h"

#include <math.h>
#include <string.h>

#include "text/nearest.h"

static const char *const keys[2] = {"material", "material_b"};

static bool gives(const fender_known_material *material, const fender_law *law, bool other)
{
    for (int i = 0; i < law->parameters.count; i++)
        if (!isnan(fender_known_material_value(material, fender_field_at(&law->parameters, i)->name, other)))
            return true;
    return false;
}

bool fnd_is_material_key(const fender_law *law, const char *key)
{
    for (int k = 0; law && k < 2; k++) {
        if (strcmp(key, keys[k]) != 0) continue;
        for (int i = 0; fender_known_material_at(i); i++)
            if (gives(fender_known_material_at(i), law, k == 1)) return true;
    }
    return false;
}

bool fnd_read_known_materials(fnd_reader *reader, fnd_node *node, const fender_law *law, fnd_known_materials *found)
{
    *found = (fnd_known_materials){{NULL, NULL}};
    for (int k = 0; law && k < 2; k++) {
        const char *name = "";
        fnd_node *given = fnd_is_material_key(law, keys[k]) ? fnd_node_find(node, keys[k]) : NULL;
        if (!given) continue;
        if (!fnd_read_text(reader, given, keys[k], &name)) return false;
        found->of[k] = fender_known_material_find(name);
        if (found->of[k] && gives(found->of[k], law, k == 1)) continue;
        fnd_nearest search = fnd_nearest_begin(name, strlen(name));
        const char *best = NULL;
        fnd_phrase names = {""};
        for (int i = 0; fender_known_material_at(i); i++) {
            const fender_known_material *m = fender_known_material_at(i);
            if (!gives(m, law, k == 1)) continue;
            if (fnd_nearest_offer(&search, m->name)) best = m->name;
            names = fnd_phrase_make("%s%s%s", names.text, names.text[0] ? ", " : "", m->name);
        }
        fnd_complain(
            reader, fnd_node_shown_place(given), FENDER_STATUS_NAME,
            fnd_phrase_make(found->of[k] ? "material '%s' has no constants for law '%s'" : "no material is named '%s'",
                            fnd_shown(name).text, law->name)
                .text,
            name, names.text,
            best ? fnd_phrase_make("did you mean '%s'?   `fender info materials` lists all", best).text
                 : "`fender info materials` lists all");
        return false;
    }
    return true;
}

double fnd_known_value(const fnd_known_materials *found, const char *parameter)
{
    for (int k = 0; k < 2; k++) {
        double value = found->of[k] ? fender_known_material_value(found->of[k], parameter, k == 1) : (double)NAN;
        if (!isnan(value)) return value;
    }
    return (double)NAN;
}
