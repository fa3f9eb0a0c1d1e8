/* `fender info planets`: what `world.frame.planet` knows by name. */
#include "info.h"
#include "support/number.h"

int fnd_app_info_planets(fnd_app *app, const char *name)
{
    fnd_app_json json;
    char text[FND_NUMBER_SIZE];
    (void)name;
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    else fnd_app_put(&app->out, "values of `world.frame.planet`; one's own: {radius: .., mu: .., rotation: ..}\n");
    for (int i = 0; fender_planet_name(i); i++) {
        fender_planet p;
        if (fender_planet_find(fender_planet_name(i), &p, NULL) != FENDER_STATUS_OK) continue;
        const struct {
            const char *key, *unit;
            double value;
        } rows[] = {{"mu", "m^3/s^2", p.mu},
                    {"radius", "m", p.equatorial_radius},
                    {"flattening", "1", p.flattening},
                    {"rotation", "rad/s", p.rotation_rate},
                    {"j2", "1", p.j2},
                    {"gravity_radius", "m", p.gravity_radius}};
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", fender_planet_name(i));
        } else {
            fnd_app_print(&app->out, "\n  %s\n", fender_planet_name(i));
        }
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            if (app->json) fnd_app_json_number(&json, rows[k].key, rows[k].value);
            if (app->json) continue;
            fnd_number_format(rows[k].value, text, sizeof text);
            fnd_app_print(&app->out, "    %-16s%s", rows[k].key, text);
            if (rows[k].unit[0] != '1') fnd_app_print(&app->out, " %s", rows[k].unit);
            fnd_app_put(&app->out, "\n");
        }
        if (app->json) {
            fnd_app_json_text(&json, "source", fender_planet_source(i));
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "    %s\n", fender_planet_source(i));
        }
    }
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}
