/* `fender info channels`: what can be recorded, watched and expected. */
#include <stdio.h>
#include <string.h>

#include "info.h"

int fnd_app_info_channels(fnd_app *app, const char *name)
{
    fender_channel_kind kind;
    fnd_app_json json;
    size_t path_width = 4, unit_width = 4;
    int found = 0;
    for (int i = 0; fender_channel_kind_at(i, &kind); i++) {
        if (name != NULL && strstr(kind.path, name) == NULL) continue;
        if (strlen(kind.path) > path_width) path_width = strlen(kind.path);
        if (strlen(kind.unit) > unit_width) unit_width = strlen(kind.unit);
        found++;
    }
    if (name != NULL && found == 0) {
        fnd_nearest search = fnd_nearest_begin(name, strlen(name));
        for (int i = 0; fender_channel_kind_at(i, &kind); i++) {
            const char *dot = strrchr(kind.path, '.');
            fnd_nearest_offer(&search, dot != NULL ? dot + 1 : kind.path);
        }
        return fnd_app_info_unknown(app, "channel", name, &search, "fender info channels");
    }
    fnd_app_json_open(&json, &app->out);
    if (app->json) fnd_app_json_array(&json, NULL);
    for (int i = 0; fender_channel_kind_at(i, &kind); i++) {
        if (name != NULL && strstr(kind.path, name) == NULL) continue;
        if (app->json) {
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "path", kind.path);
            fnd_app_json_text(&json, "unit", kind.unit);
            fnd_app_json_text(&json, "doc", kind.doc);
            fnd_app_json_end(&json);
        } else {
            fnd_app_print(&app->out, "  %-*s  %-*s  ", (int)path_width, kind.path, (int)unit_width, kind.unit);
            fnd_app_put(&app->out, kind.doc);
            fnd_app_put(&app->out, "\n");
        }
    }
    if (app->json) {
        fnd_app_json_end(&json);
    } else {
        fnd_app_put(&app->out,
                    "\n`*` stands for any name; a vector gives all its components, or one: .x .y .z (.w of a "
                    "quaternion)\n");
    }
    return FND_APP_OK;
}
