/* The pressure within a round solid on uneven ground, as patch_round.c and patch_columns.c share it. */
#ifndef FND_COLLIDE_PATCH_FIELD_H
#define FND_COLLIDE_PATCH_FIELD_H

#include "collide/cut_plane.h"
#include "collide/patch.h"
#include "collide/patch_section.h"

/* Part of a force that is rounding, where caps take all of it. */
#define FND_NOTHING_LEFT 1e-10

typedef struct fnd_field_group { /* triangles of one plane */
    int32_t plane;
    double sums[FND_SUMS];
    fnd_ground_columns taken; /* by caps nearly parallel to it */
} fnd_field_group;

enum { FND_FIELD_GROUPS = 32, FND_FIELD_SIDES = 16, FND_FIELD_FLATS = 4 };
struct fnd_field {
    const fnd_surface_view *view;
    fnd_manifold *out;
    fnd_ground *ground; /* of a cylinder; NULL: no caps */
    bool whole_planes;  /* is every triangle part of a group? */
    fnd_rotated rotated;
    bool is_field;      /* false: a disk, or none of the pressure counts */
    fnd_side_part side; /* of the pressure, on a solid */
    /* Caps take a part of the pressure before some facets, and all before those across the axis: of these nothing is
     * left. Where there are steeper ones too, a second look is `exact`, and knows the steep ones. */
    bool exact, any_flat, any_steep;
    bool looks;         /* ahead: only for the steep ones, and where the ground reaches to */
    bool looks_at_flat; /* only for flat ones, which limit the other cap */
    bool faces_cap[2];  /* is there a facet before the upper cap, or the lower one, [1]? */
    /* Planes too steep for caps to take all the pressure before them; flat ones whose normals look along the axis, [1],
     * and against it. */
    fnd_cut_plane sides[FND_FIELD_SIDES], flats[2][FND_FIELD_FLATS];
    int side_count, flat_count[2];
    bool lower_cap, upper_cap;     /* does the ground reach beyond the solid's ends? */
    double section;                /* an area of the solid's size */
    double whole;                  /* integral of the pressure */
    double taken, columns;         /* force and energy that caps take */
    double force, energy, highest; /* sums; where the axis meets the ground for the last time */
    double standing, low, high;    /* sums: force times sine of the axis' elevation, energies of the fields along it */
    bool top_below;                /* is its upper end below the ground? */
    double lowest_depth;           /* of the part of the solid above one triangle; 0: of none */
    fender_vec3 lowest, lowest_normal;
    bool deep, any; /* is the middle behind the plane of a triangle near it; is there a triangle? */
    fnd_field_group groups[FND_FIELD_GROUPS];
    int count;
};

static inline fnd_cut_plane fnd_cut_plane_of_section(int32_t plane, const fnd_section *section)
{
    return (fnd_cut_plane){
        .plane = plane, .normal = section->normal, .offset = fender_vec3_dot(section->normal, section->origin)};
}

/* Caps take the part `lying`, whose derivative by the sine of the elevation is given, of the pressure in the columns
 * from them to a triangle, where they are in the ground: off `sums` of its section, to the field's columns. */
void fnd_field_add_columns(fnd_field *p, int32_t triangle, const fnd_section *section, const fender_vec3 corners[3],
                           double lying, double derivative, double sums[FND_SUMS]);
/* Takes what caps of a polytope take off the sums of a section. */
void fnd_field_take_columns(const fnd_section *section, const fnd_ground_columns *columns, double sums[FND_SUMS]);

#endif
