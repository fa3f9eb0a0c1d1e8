/* `fender info units`: the table of units, and what one unit is in SI. */
#include <stdio.h>
#include <string.h>

#include "info.h"

/* The dimension in base units, from the exponents: "kg*m^2/s^2" written as "m^2*kg*s^-2". */
static void put_dimension(fnd_app_stream *to, const fender_unit *unit)
{
    static const char *const bases[FENDER_DIMENSION_COUNT] = {"m", "kg", "s", "K", "A", "rad"};
    bool first = true;
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) {
        char text[FND_APP_NUMBER_SIZE];
        if (unit->exponent[i] == 0) continue;
        fnd_app_print(to, "%s%s", first ? "" : "*", bases[i]);
        first = false;
        if (unit->exponent[i] != FENDER_DIMENSION_DENOMINATOR)
            fnd_app_print(to, "^%s", fnd_app_number(text, (double)unit->exponent[i] / FENDER_DIMENSION_DENOMINATOR));
    }
    if (first) fnd_app_put(to, "1");
}

static int show_unit(fnd_app *app, const char *name)
{
    fender_unit unit;
    fender_error error = {0};
    char scale[FND_APP_NUMBER_SIZE], offset[FND_APP_NUMBER_SIZE];
    if (fender_unit_parse(name, strlen(name), &unit, &error) != FENDER_STATUS_OK) {
        fnd_app_print_error(app, &error);
        return FND_APP_USAGE;
    }
    fnd_app_stream base;
    fnd_app_stream_open(&base, -1);
    put_dimension(&base, &unit);
    fnd_app_put_bytes(&base, "", 1);
    if (app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "unit", name);
        fnd_app_json_text(&json, "dimension", fender_unit_dimension_name(&unit));
        fnd_app_json_text(&json, "si", base.buffer);
        fnd_app_json_number(&json, "scale", unit.scale);
        fnd_app_json_number(&json, "offset", unit.offset);
        fnd_app_json_end(&json);
        return FND_APP_OK;
    }
    if (unit.offset != 0) {
        fnd_app_print(&app->out, "x %.64s = %s * (x + %s) %s   (%s)\n", name, fnd_app_number(scale, unit.scale),
                      fnd_app_number(offset, unit.offset), base.buffer, fender_unit_dimension_name(&unit));
    } else {
        fnd_app_print(&app->out, "1 %.64s = %s %s   (%s)\n", name, fnd_app_number(scale, unit.scale), base.buffer,
                      fender_unit_dimension_name(&unit));
    }
    return FND_APP_OK;
}

int fnd_app_info_units(fnd_app *app, const char *name)
{
    fender_unit_entry entry;
    fnd_app_json json;
    if (name != NULL) return show_unit(app, name);
    fnd_app_json_open(&json, &app->out);
    if (app->json) {
        fnd_app_json_array(&json, NULL);
    } else {
        fnd_app_put(&app->out,
                    "  unit      in SI         dimension           meaning     (*: takes a prefix: mm, kN)\n");
    }
    for (int i = 0; fender_unit_table(i, &entry); i++) {
        char scale[FND_APP_NUMBER_SIZE];
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", entry.name);
            fnd_app_json_text(&json, "dimension", entry.dimension);
            fnd_app_json_text(&json, "doc", entry.doc);
            fnd_app_json_number(&json, "scale", entry.scale);
            fnd_app_json_bool(&json, "takes_prefix", entry.takes_prefix);
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "  %s%s", entry.name, entry.takes_prefix ? "*" : "");
            fnd_app_put_padding(&app->out, strlen(entry.name) + (entry.takes_prefix ? 3 : 2), 12);
            fnd_app_print(&app->out, "%-12s  %-18s  %s\n", fnd_app_number(scale, entry.scale), entry.dimension,
                          entry.doc);
        }
    }
    if (app->json) {
        fnd_app_json_end(&json);
    } else {
        fnd_app_put(&app->out, "\nunits combine by * / ^ with rational exponents: N/m^1.5, lbf*s/in, m^(3/2)\n");
    }
    return FND_APP_OK;
}
