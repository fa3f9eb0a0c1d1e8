/* Triangles before a polytope: picks the registers that this machine has. */
#include "collide/surface_look.h"

static const fnd_surface_look_functions *functions(void)
{
    static const fnd_surface_look_functions *const all[3] = {
        &fnd_surface_look_plain,
#if defined __x86_64__ && defined __GNUC__
        &fnd_surface_look_avx2,
        &fnd_surface_look_avx512
#endif
    };
    return all[fnd_tree_registers()];
}

void fnd_surface_look_depth(const fnd_polytope *polytope, fnd_surface_look *look)
{
    functions()->depth(polytope, look);
}

bool fnd_surface_look_faces(const fnd_polytope *polytope, const fnd_surface_look *look, double rounding, int first,
                            uint64_t *faces)
{
    return functions()->faces(polytope, look, rounding, first, faces);
}

void fnd_surface_look_within(const fnd_polytope *polytope, fnd_surface_look *look)
{
    functions()->within(polytope, look);
}

void fnd_surface_look_cells(const fnd_surface_sight *sight, const fnd_polytope *polytope,
                            fnd_surface_look *const *looks, int count)
{
    functions()->cells(sight, polytope, looks, count);
}
