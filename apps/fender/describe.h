/* Words for the things of a world: shapes, rules, laws with their parameters. */
#ifndef FND_APP_DESCRIBE_H
#define FND_APP_DESCRIBE_H

#include "app.h"

/* "veh1.hull" */
void fnd_app_put_shape(fnd_app_stream *to, const fender_world *world, fender_shape_id shape);
/* "sphere, radius 1 m" */
void fnd_app_put_geometry(fnd_app_stream *to, const fender_geometry *geometry);
/* "materials Sticky * Glass", "default" */
void fnd_app_put_rule(fnd_app_stream *to, const fender_world *world, const fender_rule_def *rule);
/* {kind, a, b, use, file, line}, or null when there is no such rule. */
void fnd_app_json_rule(fnd_app_json *json, const char *key, const fender_world *world, const fender_scenario *scenario,
                       fender_rule_id id);
/* "3502.54 N/m", "linear", "[1, 2, 3] m", "yes" */
void fnd_app_put_value(fnd_app_stream *to, const fender_field_table *table, const fender_field *field,
                       const void *object);
void fnd_app_json_value(fnd_app_json *json, const char *key, const fender_field *field, const void *object);
/* True when every component is what a scenario gets that does not name the field. */
bool fnd_app_is_initial(const fender_field *field, const void *object);
/* "spring_damper: stiffness 3502.54 N/m, damping 70 N*s/m, mu 0.05" */
void fnd_app_put_law(fnd_app_stream *to, const fender_law *law, const void *parameters);
/* The laws of a contact type. Returns how many there are. */
enum { FND_APP_LAW_CAPACITY = 5 };
typedef struct fnd_app_law_use {
    const char *part; /* "law", "normal", "friction", "rolling", "twisting" */
    const fender_law *law;
    const void *parameters;
} fnd_app_law_use;
int fnd_app_laws_of(const fender_contact_type_def *type, fnd_app_law_use uses[FND_APP_LAW_CAPACITY]);
/* What a contact type says besides its laws, as text: points, zero crossings, forces from outside. False where it says
 * nothing but the default; `to` may be NULL. */
enum { FND_APP_OPTION_COUNT = 3 };
bool fnd_app_put_option(fnd_app_stream *to, const fender_contact_type_def *type, int number, const char **label);
/* "laws": [{part, law, parameters: {name: {value, unit, default}}}], "points", "zero_crossings" and
 * "forces_from_outside", inside an object. */
void fnd_app_json_laws(fnd_app_json *json, const fender_contact_type_def *type);
/* Sentence for a reason, without names: "a rule says never". */
/* False for a body that is mass only and hangs on nothing that moves. */
bool fnd_app_has_state(const fender_world *world, fender_body_id body);
const char *fnd_app_reason_text(fender_pair_reason reason);

#endif
