/* Scalars, vectors and matrices out of nodes: each gets its type from the field that it fills. */
#ifndef FND_SCENARIO_VALUE_H
#define FND_SCENARIO_VALUE_H

#include "scenario/node.h"

/* Each returns false after a diagnostic, and then leaves the value alone. `name` is the field as messages call it;
 * `unit` its SI unit, "1" for a plain number. */
bool fnd_read_text(fnd_reader *reader, const fnd_node *node, const char *name, const char **text);
bool fnd_read_bool(fnd_reader *reader, const fnd_node *node, const char *name, bool *value);
/* choices: NULL-ended. */
bool fnd_read_choice(fnd_reader *reader, const fnd_node *node, const char *name, const char *const *choices,
                     int *index);
bool fnd_read_integer(fnd_reader *reader, const fnd_node *node, const char *name, int minimum, int maximum, int *value);
bool fnd_read_number(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, double *value);
/* The same, and refuses values below the minimum (or equal to it when `above`). */
bool fnd_read_number_from(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, double minimum,
                          bool above, double *value);
/* A list of `count` numbers, perhaps with a unit for all as last element. After a failure `values` have no meaning. */
bool fnd_read_numbers(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, int count,
                      double *values);
bool fnd_read_vector(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, fender_vec3 *vector);
/* Three rows, perhaps with a unit for all as fourth element; with `diagonal` also three numbers. */
bool fnd_read_matrix(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, bool diagonal,
                     fender_mat3 *matrix);
/* A list of rows of numbers, all of `columns` (0: of as many as the first), each or the whole list perhaps with a unit
 * as last element; at least one row. Row by row into the scenario's memory. */
bool fnd_read_rows(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, int *columns,
                   double **values, int *row_count);
/* True if the last element of a list looks like the unit of the others. */
bool fnd_is_unit_element(const fnd_node *node);
/* A number as read_number takes it, before any unit is applied, and its unit ("" when bare; terminated). */
bool fnd_split_number(fnd_reader *reader, const fnd_node *node, const char *name, const char *unit, double *value,
                      const char **unit_text);
/* Applies a unit text that the file gives. */
bool fnd_apply_unit(fnd_reader *reader, const fnd_location *location, const char *found, const char *name,
                    const char *unit_text, const char *unit, double *value);

/* "a, b, c"; names: NULL-ended. */
fnd_phrase fnd_join(const char *const *names);

/* ---- maps */

/* Stands before a key that is in the format, not in this version. */
#define FND_LATER "?"

/* A map, or a diagnostic that `what` must be one. */
bool fnd_expect_map(fnd_reader *reader, const fnd_node *node, const char *what);
bool fnd_expect_list(fnd_reader *reader, const fnd_node *node, const char *what);
/* Diagnostics for keys that are not in the table, or not in this version, and for a list in place of a map. keys: ended
 * by NULL. False when there were any. Keys of earlier versions get their present names. */
bool fnd_check_keys(fnd_reader *reader, fnd_node *map, const char *what, const char *const *keys);
/* NOT_BUILT, naming what the format has and this version has not. */
void fnd_complain_later(fnd_reader *reader, const fnd_location *location, const char *found, const char *instead);
/* A path of a channel; one of an earlier version gets its present name. */
bool fnd_read_channel_path(fnd_reader *reader, fnd_node *node, const char *name);
/* True if the map has an unknown key that is probably this one. Its absence then needs no second diagnostic. */
bool fnd_is_misspelt_in(const fnd_node *map, const char *key);
/* The child, or NULL after the diagnostic that it is missing from `what`. */
fnd_node *fnd_require(fnd_reader *reader, const fnd_node *map, const char *key, const char *what, const char *example);
/* NAME: "no material is named 'guides'", with what there is in the map. */
void fnd_complain_unknown(fnd_reader *reader, const fnd_location *location, const char *kind, const char *plural,
                          const char *name, const fnd_node *map);
/* Names follow [A-Za-z_][A-Za-z0-9_]*, at most 63 characters. */
bool fnd_check_name(fnd_reader *reader, const char *name, const fnd_location *location, const char *what);
/* The key of a node as the name of `what`, checked. */
fnd_named fnd_read_name(fnd_reader *reader, const fnd_node *node, const char *what);
/* Room for as many things as a section has, `size` bytes each; NULL: there is none, or it is no map. */
void *fnd_keep_section(fnd_reader *reader, const fnd_node *section, const char *name, size_t size);

#endif
