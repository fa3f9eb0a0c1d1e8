/* Reads the tables of data/ and does what they say through the public interface. */
#ifndef VERIF_JEOD_MASS_REPLAY_H
#define VERIF_JEOD_MASS_REPLAY_H

#include "check.h"
#include <fender/fender.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_FIELDS 64

/* One line: run, operation and what belongs to it. */
typedef struct replay_line {
    char text[4096];
    char *field[REPLAY_FIELDS];
    int count;
} replay_line;

static inline FILE *replay_open(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/verif/jeod_mass/data/%s", FENDER_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

static inline bool replay_next(FILE *file, replay_line *line)
{
    do {
        if (!fgets(line->text, sizeof line->text, file)) return false;
    } while (line->text[0] == '#');
    line->text[strcspn(line->text, "\r\n")] = 0;
    line->count = 0;
    for (char *at = line->text; at && line->count < REPLAY_FIELDS;) {
        line->field[line->count++] = at;
        at = strchr(at, '\t');
        if (at) *at++ = 0;
    }
    assert_true(line->count >= 3);
    return true;
}

static inline double replay_number(const replay_line *line, int at)
{
    assert_true(at < line->count);
    return strtod(line->field[at], NULL);
}

static inline fender_vec3 replay_vector(const replay_line *line, int at)
{
    return fender_vec3_make(replay_number(line, at), replay_number(line, at + 1), replay_number(line, at + 2));
}

static inline fender_quaternion replay_quaternion(const replay_line *line, int at)
{
    return (fender_quaternion){replay_number(line, at), replay_number(line, at + 1), replay_number(line, at + 2),
                               replay_number(line, at + 3)};
}

static inline fender_mat3 replay_matrix(const replay_line *line, int at)
{
    fender_mat3 matrix;
    for (int i = 0; i < 9; i++) matrix.m[i / 3][i % 3] = replay_number(line, at + i);
    return matrix;
}

static inline fender_body_id replay_body(const fender_world *world, const char *name)
{
    fender_body_id id = {0};
    assert_int_equal(fender_body_find(world, name, &id), FENDER_STATUS_OK);
    return id;
}

static inline fender_inertia_spec replay_spec(const char *name)
{
    static const char *const names[] = {"Body", "StructCG", "Struct", "SpecCG", "Spec", "NoSpec"};
    for (int i = 0; i < 6; i++)
        if (!strcmp(name, names[i])) return (fender_inertia_spec)i;
    fail_msg("%s", name);
    return FENDER_INERTIA_NONE;
}

/* What a `body` line defines. */
static inline fender_body_def replay_def(const replay_line *line)
{
    fender_body_def def = fender_body_def_default();
    def.name = line->field[2];
    def.motion = FENDER_MOTION_MASS_ONLY;
    def.lenient_inertia = true; /* typed plates and the Apollo command module break the triangle inequality */
    def.mass_properties.mass = replay_number(line, 3);
    def.mass_properties.center_of_mass = replay_vector(line, 4);
    def.body_axes = replay_quaternion(line, 17);
    fender_mat3 inertia = replay_matrix(line, 8);
    def.mass_properties.inertia = fender_inertia_in_body(replay_spec(line->field[7]), def.mass_properties.mass,
                                                         &inertia, def.body_axes, def.mass_properties.center_of_mass,
                                                         replay_quaternion(line, 21), replay_vector(line, 25));
    return def;
}

/* True when the line was an operation on the tree: point, join, attach, detach, reattach. */
static inline bool replay_operation(fender_world *world, const replay_line *line, fender_attach_report *report)
{
    const char *operation = line->field[1];
    fender_body_id body;
    if (fender_body_find(world, line->field[2], &body)) return false;
    if (!strcmp(operation, "point")) {
        fender_pose X = {replay_vector(line, 4), replay_quaternion(line, 7)};
        check_ok(fender_point_create(world, body, line->field[3], X, NULL, &error));
    } else if (!strcmp(operation, "join")) {
        fender_attach_def def = fender_attach_def_default();
        def.child = body;
        def.parent = replay_body(world, line->field[4]);
        assert_int_equal(fender_point_find(world, body, line->field[3], &def.child_point), FENDER_STATUS_OK);
        assert_int_equal(fender_point_find(world, def.parent, line->field[5], &def.parent_point), FENDER_STATUS_OK);
        check_ok(fender_body_attach(world, &def, report, &error));
    } else if (!strcmp(operation, "attach")) {
        fender_attach_def def = fender_attach_def_default();
        def.child = body;
        def.parent = replay_body(world, line->field[3]);
        def.X_PC = (fender_pose){replay_vector(line, 4), replay_quaternion(line, 7)};
        check_ok(fender_body_attach(world, &def, report, &error));
    } else if (!strcmp(operation, "detach")) {
        check_ok(fender_body_detach(world, body, (fender_body_id){0}, FENDER_DETACH_TREE, NULL, &error));
    } else if (!strcmp(operation, "reattach")) {
        fender_pose X = {replay_vector(line, 3), replay_quaternion(line, 6)};
        check_ok(fender_body_reattach(world, body, X, report, &error));
    } else {
        return false;
    }
    return true;
}

static inline double matrix_gap(const fender_mat3 *a, const fender_mat3 *b)
{
    double worst = 0;
    for (int i = 0; i < 9; i++) worst = larger(worst, fabs(a->m[i / 3][i % 3] - b->m[i / 3][i % 3]));
    return worst;
}

typedef struct replay_gaps {
    double pose, mass, center, inertia;
} replay_gaps;

/* What an `expect` line says against what is; inertia relative to the tensor's size where that is above one. */
static inline void replay_compare(const fender_world *world, const replay_line *line, replay_gaps *gaps)
{
    fender_body_id body = replay_body(world, line->field[2]), parent = fender_body_parent(world, body);
    const char *name = parent.index1 ? fender_body_name(world, parent) : "-";
    assert_string_equal(name, line->field[3]);
    if (parent.index1) {
        fender_pose X = fender_body_pose_in_parent(world, body);
        fender_mat3 T = replay_matrix(line, 7), R = fender_quaternion_matrix(fender_quaternion_conjugate(X.q));
        gaps->pose = larger(gaps->pose, fender_vec3_length(fender_vec3_sub(X.p, replay_vector(line, 4))));
        gaps->pose = larger(gaps->pose, matrix_gap(&T, &R));
    }
    for (int kind = 0; kind < 2; kind++) {
        int at = 16 + 13 * kind;
        fender_mass_properties is;
        assert_int_equal(fender_body_get_mass(world, body, kind ? FENDER_MASS_COMPOSITE : FENDER_MASS_CORE, &is),
                         FENDER_STATUS_OK);
        double mass = replay_number(line, at), scale = 1;
        if (kind && mass == 0) continue; /* JEOD never computed that of a body that was attached to nothing (RUN_11) */
        fender_mat3 inertia = replay_matrix(line, at + 4);
        for (int i = 0; i < 3; i++) scale = larger(scale, fabs(inertia.m[i][i]));
        gaps->mass = larger(gaps->mass, fabs(is.mass - mass) / mass);
        gaps->center = larger(gaps->center,
                              fender_vec3_length(fender_vec3_sub(is.center_of_mass, replay_vector(line, at + 1))));
        gaps->inertia = larger(gaps->inertia, matrix_gap(&is.inertia, &inertia) / scale);
    }
}

#endif
