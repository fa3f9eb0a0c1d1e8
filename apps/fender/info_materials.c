/* `fender info materials`: what `material: NAME` of a law stands for. */
#include "info.h"

#include <fender/sizing.h>
#include <math.h>

#include "support/number.h"

int fnd_app_info_materials(fnd_app *app, const char *name)
{
    fnd_app_json json;
    char text[FND_NUMBER_SIZE];
    (void)name;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    else
        fnd_app_put(&app->out,
                    "`material: NAME` in the parameters of a law (hertz, jkr, dmt; soil, janosi) gives those of "
                    "its parameters; `material_b` those of the other body\n");
    for (int i = 0; fender_known_material_at(i); i++) {
        const fender_known_material *m = fender_known_material_at(i);
        const struct {
            const char *key, *unit;
            double value;
        } rows[] = {{"young", "Pa", m->young},
                    {"poisson", "1", m->poisson},
                    {"density", "kg/m^3", m->density},
                    {"cohesive_modulus", "N/m^(n+1)", m->cohesive_modulus},
                    {"frictional_modulus", "N/m^(n+2)", m->frictional_modulus},
                    {"exponent", "1", m->exponent},
                    {"cohesion", "Pa", m->cohesion},
                    {"friction_angle", "rad", m->friction_angle},
                    {"shear_displacement", "m", m->shear_displacement}};
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", m->name);
        } else {
            fnd_app_print(&app->out, "\n  %s\n", m->name);
        }
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            if (isnan(rows[k].value)) continue;
            if (app->json) fnd_app_json_number(&json, rows[k].key, rows[k].value);
            if (app->json) continue;
            fnd_number_format(rows[k].value, text, sizeof text);
            fnd_app_print(&app->out, "    %-20s%s", rows[k].key, text);
            if (rows[k].unit[0] != '1') fnd_app_print(&app->out, " %s", rows[k].unit);
            fnd_app_put(&app->out, "\n");
        }
        if (app->json) {
            fnd_app_json_text(&json, "source", m->source);
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "    %s\n", m->source);
        }
    }
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}
