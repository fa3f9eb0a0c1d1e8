/* Which vertices of a large polytope can be the farthest ones along the directions of a cell.
 *
 * The directions of a cell are sums of its four corners with weights of 0 or more, so a vertex is never the farthest
 * there when some other vertex lies farther along all four corners. The others are listed by the eights that hold
 * them; eights of vertices that lie together keep the lists short. */
#include "geometry/polytope_cells.h"

static int cells_per_edge(int vertex_count) { return vertex_count <= 200 ? 4 : 8; }

static size_t round_up(size_t size) { return (size + 63) / 64 * 64; }

size_t fnd_polytope_cells_size(int vertex_count)
{
    if (vertex_count <= FND_CELLS_FROM || vertex_count > FND_CELLS_UP_TO) return 0;
    size_t n = (size_t)cells_per_edge(vertex_count), eights = ((size_t)vertex_count + 7) / 8;
    return 64 + round_up(sizeof(fnd_polytope_cells)) + eights * sizeof(fnd_polytope_eight) +
           round_up(eights * sizeof(int32_t[8])) + 6 * n * n * sizeof(fnd_polytope_cell);
}

static double along_axis(fender_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Heap sort of vertex numbers by the coordinate, then by number: the same order everywhere. */
static bool before(const fender_vec3 *v, int axis, int32_t a, int32_t b)
{
    double x = along_axis(v[a], axis), y = along_axis(v[b], axis);
    return x < y || (x == y && a < b);
}

static void sift(const fender_vec3 *v, int axis, int32_t *list, int at, int count)
{
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(v, axis, list[child], list[child + 1])) child++;
        if (!before(v, axis, list[at], list[child])) return;
        int32_t swap = list[at];
        list[at] = list[child], list[child] = swap;
    }
}

static void sort_along(const fender_vec3 *v, int axis, int32_t *list, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) sift(v, axis, list, i, count);
    for (int i = count - 1; i > 0; i--) {
        int32_t swap = list[0];
        list[0] = list[i], list[i] = swap;
        sift(v, axis, list, 0, i);
    }
}

/* Halves along the longest side until eights are left. */
static void gather(const fender_vec3 *v, int32_t *list, int count)
{
    while (count > 8) {
        fender_vec3 low = v[list[0]], high = low;
        for (int i = 1; i < count; i++) {
            fender_vec3 p = v[list[i]];
            low.x = p.x < low.x ? p.x : low.x, high.x = p.x > high.x ? p.x : high.x;
            low.y = p.y < low.y ? p.y : low.y, high.y = p.y > high.y ? p.y : high.y;
            low.z = p.z < low.z ? p.z : low.z, high.z = p.z > high.z ? p.z : high.z;
        }
        double x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
        sort_along(v, x >= y && x >= z ? 0 : y >= z ? 1 : 2, list, count);
        int left = ((count + 7) / 8 + 1) / 2 * 8;
        gather(v, list, left);
        list += left;
        count -= left;
    }
}

/* Marks the eights that the cell needs; corners are those of its square on the cube. */
static void fill_cell(const fnd_polytope *p, const fnd_polytope_cells *c, const fender_vec3 corners[4], double margin,
                      fnd_polytope_cell *cell)
{
    double rival[5][4];
    int farthest[5] = {0};
    fender_vec3 middle = {0, 0, 0};
    for (int k = 0; k < 4; k++) middle = fender_vec3_add(middle, corners[k]);
    for (int k = 0; k < 5; k++) {
        farthest[k] = fnd_polytope_climb(p, k ? farthest[k - 1] : 0, k < 4 ? corners[k] : middle);
        for (int i = 0; i < 4; i++) rival[k][i] = fender_vec3_dot(p->vertices[farthest[k]], corners[i]);
    }
    cell->count = 0;
    for (int e = 0; e < c->eight_count; e++) {
        bool needed = false;
        for (int lane = 0; lane < 8 && !needed; lane++) {
            fender_vec3 v = p->vertices[c->numbers[e][lane]];
            double along[4];
            for (int i = 0; i < 4; i++) along[i] = fender_vec3_dot(v, corners[i]) + margin;
            bool beaten = false;
            for (int k = 0; k < 5 && !beaten; k++)
                beaten = rival[k][0] > along[0] && rival[k][1] > along[1] && rival[k][2] > along[2] &&
                         rival[k][3] > along[3];
            needed = !beaten;
        }
        if (!needed) continue;
        if (cell->count == FND_CELL_LIST) {
            cell->count = 0;
            return;
        }
        cell->eight[cell->count++] = (uint8_t)e;
    }
}

fnd_polytope_cells *fnd_polytope_cells_fill(const fnd_polytope *p, void *memory)
{
    if (fnd_polytope_cells_size(p->vertex_count) == 0) return NULL;
    char *at = (char *)memory + (-(uintptr_t)memory & 63);
    fnd_polytope_cells *c = (void *)at;
    c->per_edge = cells_per_edge(p->vertex_count);
    c->eight_count = (p->vertex_count + 7) / 8;
    size_t eights = (size_t)c->eight_count;
    at += round_up(sizeof *c);
    c->eights = (void *)at;
    at += eights * sizeof(fnd_polytope_eight);
    c->numbers = (void *)at;
    c->cells = (void *)(at + round_up(eights * sizeof(int32_t[8])));
    int32_t *list = c->numbers[0];
    for (int i = 0; i < 8 * c->eight_count; i++) list[i] = i < p->vertex_count ? i : 0;
    gather(p->vertices, list, p->vertex_count);
    for (int i = p->vertex_count; i < 8 * c->eight_count; i++) list[i] = list[p->vertex_count - 1];
    double size = 0;
    for (int i = 0; i < 8 * c->eight_count; i++) {
        fender_vec3 v = p->vertices[list[i]];
        c->eights[i / 8].x[i % 8] = v.x, c->eights[i / 8].y[i % 8] = v.y, c->eights[i / 8].z[i % 8] = v.z;
        double sum = fabs(v.x) + fabs(v.y) + fabs(v.z);
        size = sum > size ? sum : size;
    }
    int n = c->per_edge;
    for (int face = 0; face < 6; face++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                fender_vec3 corners[4];
                for (int k = 0; k < 4; k++) { /* a little beyond the cell, so that rounding does not matter */
                    double most = face & 1 ? -1 : 1, wide = k & 1 ? 1e-9 : -1e-9, high = k & 2 ? 1e-9 : -1e-9;
                    double u = 2.0 * (i + (k & 1)) / n - 1 + wide, v = 2.0 * (j + (k >> 1)) / n - 1 + high;
                    corners[k] = face < 2   ? fender_vec3_make(most, u, v)
                                 : face < 4 ? fender_vec3_make(v, most, u)
                                            : fender_vec3_make(u, v, most);
                }
                fill_cell(p, c, corners, 1e-13 * size, &c->cells[(face * n + i) * n + j]);
            }
    return c;
}
