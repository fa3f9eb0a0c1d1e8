/* The matrix of pairs under test: geometries with their oracles, random poses in classes, checks and their table. */
#ifndef TEST_MATRIX_H
#define TEST_MATRIX_H

#include "oracle.h"
#include "random_numbers.h"
#include <fender/geometry.h>

typedef enum matrix_type {
    MATRIX_POINT,
    MATRIX_SPHERE,
    MATRIX_CAPSULE,
    MATRIX_DISK,
    MATRIX_BOX,
    MATRIX_CYLINDER,
    MATRIX_CONE,
    MATRIX_ELLIPSOID,
    MATRIX_HULL,
    MATRIX_USER, /* support function: two spheres and what lies between */
    MATRIX_PLANE,
    MATRIX_CLOUD,
    MATRIX_FIELD, /* signed distance of the same solid */
    MATRIX_TYPE_COUNT
} matrix_type;
extern const char *const matrix_type_names[MATRIX_TYPE_COUNT];

typedef enum matrix_flavour {
    MATRIX_NORMAL,
    MATRIX_SMALL,
    MATRIX_LARGE,
    MATRIX_DEGENERATE,
    MATRIX_FLAVOURS
} matrix_flavour;

/* A geometry and what the oracle knows of it, told to both by the same numbers. */
typedef struct matrix_item {
    fender_geometry *geometry;
    oracle_shape shape;
    bool field; /* by its signed distance */
    fender_vec3 points[24];
} matrix_item;

enum { MATRIX_POOL = 24 };
typedef struct matrix_pool {
    matrix_item items[MATRIX_FLAVOURS][MATRIX_POOL];
} matrix_pool;
/* Fails the test when a constructor does. */
void matrix_pool_create(matrix_pool *pool, matrix_type type);
void matrix_pool_destroy(matrix_pool *pool);

typedef enum matrix_class {
    MATRIX_SEPARATED,
    MATRIX_TOUCHING, /* support points meet: the distance is known beforehand, 0 to 1e-9 of the size */
    MATRIX_SHALLOW,
    MATRIX_DEEP,
    MATRIX_NESTED,
    MATRIX_PARALLEL,    /* axes of one along axes of the other, to 0 ... 1e-3 rad */
    MATRIX_DEGENERATES, /* sizes of zero, flat, coincident centres, equal orientations */
    MATRIX_FAR,         /* both at 1e7 m */
    MATRIX_CLASS_COUNT
} matrix_class;
extern const char *const matrix_class_names[MATRIX_CLASS_COUNT];

typedef struct matrix_case {
    const matrix_item *a, *b;
    fender_pose X_WA, X_WB;
    double known; /* distance by construction; NAN: not known */
    bool grazes;  /* meets an uneven surface by rounding alone, however far behind one of its planes it reaches */
} matrix_case;
matrix_case matrix_case_of(const matrix_pool *a, const matrix_pool *b, matrix_class kind, random_stream *stream);

/* Worst errors, as parts of the larger of the pair's size and its distance. */
typedef struct matrix_tally {
    int poses, apart, overlapping, failures, bad; /* checks that failed, poses that did */
    int proofs, loose; /* depths proven by branch and bound; those to less than 1e-8 (many ways out, equally good) */
    double distance, depth, witness, gap, unit, turned, known;
    double seconds_tested, seconds_oracle;
} matrix_tally;
/* Checks everything that holds for one separation query; counts in the tally and prints the first failures. */
void matrix_check(const matrix_case *c, const char *label, int number, matrix_tally *tally);
/* The same for a cloud on either side: its list of contacts, a contact a point, and the nearest of them. */
void matrix_check_cloud(const matrix_case *c, const char *label, int number, matrix_tally *tally);
/* The lists of contacts with patches and without. */
void matrix_check_patch(const matrix_case *c, const char *label, int number, matrix_tally *tally);
/* One separation of a pair of cores that the caller has placed. */
void matrix_judge(const matrix_case *c, const char *label, int number, matrix_tally *tally, const oracle_pair *pair,
                  const fender_separation *separation);
/* Prints the first failures of a cell and counts all; NaN is a failure. */
void matrix_require(const matrix_case *c, const char *label, int number, matrix_tally *tally, const char *what,
                    double value, double limit, const fender_separation *separation);
/* How many of so many poses may fall short: none, but one, and one more of each thousand, of curved solids (last digits
 * of flat cones and rims on edges), and 30 % of those of user functions against solids, which are searched (their
 * points are good to 1e-7, not 1e-10). What falls short is printed. An error that is planted fails all. */
int matrix_allowed(matrix_type a, matrix_type b, int poses);
void matrix_print_line(const char *a, const char *b, const char *kind, const matrix_tally *tally);
typedef void matrix_checker(const matrix_case *c, const char *label, int number, matrix_tally *tally);
/* All cells with `poses` of each class (a tenth in those of user support functions, which take their time), or those
 * that the environment names: MATRIX_A, MATRIX_B (types), MATRIX_POSES, MATRIX_CASE (one case of each class),
 * MATRIX_SHOW (every failing pose as numbers). Returns how many failed. */
int matrix_run_all(matrix_checker *check, int poses);

#endif
