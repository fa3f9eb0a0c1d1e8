/* Piles of balls in LAMMPS (granular, linear springs with history): the program is run, and measures itself. */
#include "stepping.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct world {
    char folder[64];
    double side, step, stiffness, damping, friction, mass;
    int count;
} world;

static void *create(const stepping_scene *scene)
{
    world *w = malloc(sizeof *w);
    if (!w || scene->plane_count == 0) return NULL;
    const stepping_body *b = scene->bodies;
    *w = (world){"/tmp/fender_lammps_XXXXXX",
                 scene->side,
                 scene->step,
                 scene->stiffness,
                 scene->damping,
                 scene->friction,
                 b->mass,
                 scene->body_count};
    char path[96];
    if (!mkdtemp(w->folder)) return NULL;
    snprintf(path, sizeof path, "%s/pile", w->folder);
    FILE *file = fopen(path, "w");
    if (!file) return NULL;
    double top = 0, density = b->mass / (4.0 / 3 * 3.14159265358979324 * b->radius * b->radius * b->radius);
    for (int i = 0; i < w->count; i++)
        if (b[i].position[2] > top) top = b[i].position[2];
    fprintf(file,
            "pile\n\n%d atoms\n1 atom types\n\n-0.1 %.17g xlo xhi\n-0.1 %.17g ylo yhi\n-0.1 %.17g zlo zhi\n\nAtoms\n\n",
            w->count, w->side + 0.1, w->side + 0.1, top + 1);
    for (int i = 0; i < w->count; i++)
        fprintf(file, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * b->radius, density, b[i].position[0],
                b[i].position[1], b[i].position[2]);
    return fclose(file) == 0 ? w : NULL;
}

/* Its damping is per effective mass: m/2 for two balls, m at a wall. */
static void write_input(const world *w, FILE *file, int steps)
{
    double per_pair = w->damping / (0.5 * w->mass), per_wall = 0.5 * per_pair;
    fprintf(file,
            "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\nread_data %s/pile\n"
            "neighbor 0.01 bin\nneigh_modify delay 0 every 1 check yes\n"
            "pair_style gran/hooke/history %g %g %g %g %g 1\npair_coeff * *\nfix 1 all nve/sphere\n"
            "fix 2 all gravity 9.81 vector 0 0 -1\n",
            w->folder, w->stiffness, 0.5 * w->stiffness, per_pair, 0.5 * per_pair, w->friction);
    for (int k = 0; k < 3; k++)
        fprintf(file, "fix w%d all wall/gran hooke/history %g %g %g %g %g 1 %cplane 0 %s\n", k, w->stiffness,
                0.5 * w->stiffness, per_wall, 0.5 * per_wall, w->friction, "xyz"[k], k < 2 ? "${L}" : "NULL");
    fprintf(file, "timestep %g\nthermo 100000000\nrun 50\nrun %d\n", w->step, steps);
}

static double measure(void *of, int steps)
{
    world *w = of;
    char command[400], line[400];
    snprintf(line, sizeof line, "%s/in", w->folder);
    FILE *input = fopen(line, "w");
    if (!input) return -1;
    write_input(w, input, steps);
    fclose(input);
    snprintf(command, sizeof command, "cd %s && OMP_NUM_THREADS=1 %s -in in -log none -var L %.17g", w->folder,
             FENDER_BENCH_LAMMPS_PROGRAM, w->side);
    FILE *output = popen(command, "r");
    if (!output) return -1;
    double seconds = -1, loop, used;
    while (fgets(line, sizeof line, output)) {
        if (sscanf(line, "Loop time of %lf", &loop) == 1) seconds = loop;
        if (sscanf(line, "%lf%% CPU use", &used) == 1 && used > 1)
            seconds = loop * used / 100; /* comes after the time */
    }
    return pclose(output) == 0 ? seconds : -1;
}

static void destroy(void *of)
{
    world *w = of;
    char path[96];
    const char *const files[] = {"pile", "in"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", w->folder, files[i]);
        remove(path);
    }
    rmdir(w->folder);
    free(w);
}

const stepping_peer stepping_lammps[] = {
    {"LAMMPS, hooke/history", 0, 100000, create, NULL, measure, NULL, destroy},
    {0},
};
