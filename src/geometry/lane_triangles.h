/* Eight triangles seen from the origin, in lanes of doubles or of floats: included once for each (lanes.h), with
 * FND_LANES (fnd_doubles or fnd_floats, with which all names begin), FND_GREATEST (more than any square) and FND_NARROW
 * (the square of the sine below which a triangle is narrow) defined. No guard. */
#define FND_JOINED(a, b) a##_##b
#define FND_JOIN(a, b)   FND_JOINED(a, b)
#define OF(name)         FND_JOIN(FND_LANES, name)
#define VECTOR           OF(vector)

typedef struct VECTOR {
    FND_LANES x, y, z;
} VECTOR;

static inline VECTOR OF(between)(const VECTOR *from, const VECTOR *to)
{
    return (VECTOR){OF(less)(to->x, from->x), OF(less)(to->y, from->y), OF(less)(to->z, from->z)};
}
static inline FND_LANES OF(dot)(const VECTOR *a, const VECTOR *b)
{
    return OF(add)(OF(add)(OF(times)(a->x, b->x), OF(times)(a->y, b->y)), OF(times)(a->z, b->z));
}
static inline VECTOR OF(cross)(const VECTOR *a, const VECTOR *b)
{
    return (VECTOR){OF(less)(OF(times)(a->y, b->z), OF(times)(a->z, b->y)),
                    OF(less)(OF(times)(a->z, b->x), OF(times)(a->x, b->z)),
                    OF(less)(OF(times)(a->x, b->y), OF(times)(a->y, b->x))};
}

/* Least squares of distances of the triangles' boxes from the origin. */
static inline FND_LANES OF(box_squares)(const VECTOR v[3])
{
    const FND_LANES zero = OF(all)(0);
    const FND_LANES parts[3][3] = {{v[0].x, v[1].x, v[2].x}, {v[0].y, v[1].y, v[2].y}, {v[0].z, v[1].z, v[2].z}};
    FND_LANES sum = zero;
    for (int i = 0; i < 3; i++) {
        FND_LANES low = OF(least)(OF(least)(parts[i][0], parts[i][1]), parts[i][2]);
        FND_LANES high = OF(most)(OF(most)(parts[i][0], parts[i][1]), parts[i][2]);
        FND_LANES d = OF(most)(OF(most)(low, OF(less)(zero, high)), zero);
        sum = OF(add)(sum, OF(times)(d, d));
    }
    return sum;
}

/* Squares of distances of the triangles from the origin, good enough to leave triangles out; 0 for those too narrow
 * for that. */
static inline FND_LANES OF(triangle_squares)(const VECTOR v[3])
{
    const FND_LANES zero = OF(all)(0), one = OF(all)(1);
    FND_LANES least = OF(all)(FND_GREATEST), length[3];
    VECTOR edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = OF(between)(&v[k], &v[(k + 1) % 3]);
        length[k] = OF(dot)(&edge[k], &edge[k]);
        FND_LANES along = OF(over)(OF(less)(zero, OF(dot)(&edge[k], &v[k])), length[k]);
        along = OF(most)(OF(least)(along, one), zero);
        VECTOR p = {OF(add)(v[k].x, OF(times)(along, edge[k].x)), OF(add)(v[k].y, OF(times)(along, edge[k].y)),
                    OF(add)(v[k].z, OF(times)(along, edge[k].z))};
        least = OF(least)(least, OF(dot)(&p, &p));
    }
    VECTOR n = OF(cross)(&edge[0], &edge[1]);
    FND_LANES square = OF(dot)(&n, &n), height = OF(dot)(&n, &v[0]);
    unsigned inside = 255;
    for (int k = 0; k < 3; k++) {
        VECTOR across = OF(cross)(&n, &edge[k]);
        inside &= OF(up_to)(OF(dot)(&across, &v[k]), zero);
    }
    FND_LANES plane = OF(over)(OF(times)(height, height), square);
    least = OF(select)(inside, plane, least);
    FND_LANES narrow = OF(times)(OF(all)(FND_NARROW), OF(times)(length[0], length[1]));
    return OF(select)(OF(up_to)(square, narrow), zero, least);
}

#undef VECTOR
#undef OF
#undef FND_JOIN
#undef FND_JOINED
#undef FND_LANES
#undef FND_NARROW
#undef FND_GREATEST
