/* A study as it was read: what varies, what is kept, what it is judged by. */
#ifndef FND_STUDY_STUDY_H
#define FND_STUDY_STUDY_H

#include <fender/study.h>

#include "scenario/bundle.h"
#include "scenario/expression.h"
#include "study/distribution.h"
#include "support/memory.h"

typedef enum fnd_design {
    FND_DESIGN_RANDOM,
    FND_DESIGN_LATIN_HYPERCUBE,
    FND_DESIGN_SOBOL,
    FND_DESIGN_FULL_FACTORIAL,
    FND_DESIGN_ONE_AT_A_TIME,
    FND_DESIGN_CORNERS,
    FND_DESIGN_LIST,
    FND_DESIGN_SOBOL_INDICES, /* blocks of A, B, and A with each variable of B in turn */
    FND_DESIGN_MORRIS         /* trajectories: a start, then one variable after the other moves */
} fnd_design;

/* Something that varies. Numbers are in `unit`, as the study states it; times `scale` they are SI. */
typedef struct fnd_variable {
    fnd_named id;
    const char *path;
    fnd_location path_place, location;
    const char *unit; /* "": none stated */
    double scale;
    fnd_distribution distribution;
    const char *const *texts;    /* DISCRETE: as they are named, and set if `settings` is NULL */
    const char *const *settings; /* of options */
    const fnd_location *places;  /* DISCRETE: of its values in the study */
    bool from_files;             /* one of these, at least, is the content of a file of its own */
    const double *numbers;       /* DISCRETE, when all values are numbers of one kind: in SI; NULL elsewhere */
    fnd_quantity number_kind;    /* of these: their dimension; free: they have no units */
    double axis[3];              /* CONE, DIRECTION */
    int levels;                  /* of grids */
    int dimension;               /* the first coordinate of its own */
    int column;                  /* the first of its inputs */
    bool joined;                 /* drawn with others */
} fnd_variable;
/* How many coordinates of its own it takes, and how many inputs it gives. */
static inline int fnd_variable_dimensions(const fnd_variable *v)
{
    fnd_distribution_kind kind = v->distribution.kind;
    return kind == FND_ATTITUDE ? 4 : kind >= FND_CONE ? 3 : 1;
}
static inline int fnd_variable_width(const fnd_variable *v)
{
    fnd_distribution_kind kind = v->distribution.kind;
    return kind == FND_DIRECTION ? 3 : kind >= FND_ATTITUDE ? 4 : 1;
}

/* Variables whose normal numbers are correlated (a Gaussian copula over their distributions). */
enum { FND_JOINT_LIMIT = 64 };
typedef struct fnd_joint {
    int count;
    const int *members;    /* variables */
    const double *root;    /* count rows of a lower triangle: times its transpose the correlation matrix */
    const uint32_t *ranks; /* LATIN_HYPERCUBE: the share of each run, for each member */
    fnd_location location;
} fnd_joint;

typedef struct fnd_kept_value {
    fnd_named id;
    bool is_event;
    const char *unit;      /* after resolving */
    struct fnd_node *when; /* its condition, while the study is read; NULL: none */
} fnd_kept_value;

/* An expression in reverse Polish order; slots: inputs, kept values, outcomes before it. */
typedef struct fnd_outcome {
    fnd_named id;
    const char *text;
    fender_instruction *code;
    int count;
    const fnd_node *node; /* this and the next while the study is read */
    fnd_operator *operators;
} fnd_outcome;

enum { FND_TOLD_LIMIT = 64 };

struct fender_study {
    fender_env env;
    fnd_arena arena;
    const char *path, *title, *text;
    size_t length;
    fender_scenario *scenario;        /* with the fixed settings: its texts and its tree serve all runs */
    struct fnd_geometry_cache *cache; /* of all runs */
    fender_override *settings;
    fnd_location *setting_places; /* of their paths and, behind these, of their values */
    int setting_count;
    fnd_design design;
    uint64_t seed;
    int64_t runs;
    fnd_variable *variables;
    int variable_count, dimension_count, input_count; /* input: a column */
    const double *list;                               /* LIST: input_count numbers a run */
    int design_count, design_levels;                  /* SOBOL_INDICES: blocks; MORRIS: trajectories, levels */
    fnd_joint *joints;
    int joint_count;
    struct fnd_stop *stop;         /* NULL: all runs */
    struct fnd_boundary *boundary; /* NULL: none is asked for */
    int fixed;                     /* 0, or a variable, counted from 1, that has this value in all runs */
    double fixed_value;            /* in its unit */
    fnd_kept_value *kept;
    fnd_expectation *expectations; /* one for each kept value */
    int kept_count;
    fnd_outcome *outcomes; /* success, if it is given, is the last */
    int outcome_count;
    bool has_success;
    const char *told[FND_TOLD_LIMIT]; /* warnings of the inputs that were tried, told when the study was loaded */
    int told_count;
    uint64_t hash;
};

/* Inputs of a run: input_count numbers, in the units of the study. */
void fnd_study_inputs(const fender_study *study, int64_t run, double *inputs);
/* Name of an input's column: "tilt", or "attitude.w" of a variable with several. */
void fnd_study_input_name(const fender_study *study, int column, char *name, size_t size);
const fnd_variable *fnd_study_input_variable(const fender_study *study, int column);
/* Does a run take that value of a discrete variable? All in grids, those that occur in lists, elsewhere those that have
 * a weight. */
bool fnd_study_takes(const fender_study *study, const fnd_variable *variable, int index);
/* Of texts that are all numbers of one dimension (0 needs no unit) the values in SI, and their dimension; free: they
 * have no units. False: some are not. */
bool fnd_study_numbers(const char *const *texts, int64_t count, double *values, fnd_quantity *kind);
/* Name of the design, its count and levels (or 0), its seed: what a store says of it. */
void fnd_study_design_text(const fender_study *study, char *text, size_t size);
void fnd_joint_normals(const fender_study *study, const fnd_joint *joint, int64_t run, double *z);
/* Scenario of inputs. `sharing`: it uses what the study holds, and must be destroyed before it. */
fender_scenario *fnd_study_build(const fender_study *study, const fender_env *env, const double *inputs, bool sharing,
                                 fender_error *error);

/* Appends the texts of the scenario as a bundle, its files named from the folder of the study, so that *hash is the
 * same wherever the study lies. False when there is no memory. */
bool fnd_study_append_sources(fnd_buffer *to, const fender_study *study, uint64_t *hash);

/* FND_ROW_NONE: there was no memory for the run; it is no row. */
typedef enum fnd_row_status { FND_ROW_OK, FND_ROW_DOUBTFUL, FND_ROW_FAILED, FND_ROW_NONE } fnd_row_status;
typedef struct fnd_row {
    int64_t run;
    fnd_row_status status;
    char reason[400];
    double *inputs, *kept, *outcomes; /* in one block; outcome: 1, 0, NaN */
    uint64_t hash;
} fnd_row;
/* One run from inputs to outcomes. */
void fnd_study_evaluate(const fender_study *study, const fender_env *env, fnd_row *row);

struct fnd_reader;
struct fnd_node;
/* Compiles the expression of an outcome; false after a diagnostic. */
bool fnd_outcome_read(struct fnd_reader *reader, const fender_study *study, const struct fnd_node *node,
                      fnd_outcome *outcome);
/* Compares dimensions in all outcomes, once the units of kept values are known; diagnostics say what does not agree. */
void fnd_outcomes_check(struct fnd_reader *reader, const fender_study *study);

#endif
