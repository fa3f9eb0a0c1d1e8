/* Support points of the cores for one floating type: included twice by oracle_shape.c, without a guard for that reason.
 * Before: SCALAR the type, SQRT its root, NAME(x) a name of it. */
static void NAME(support)(const oracle_shape *s, const SCALAR n[3], SCALAR p[3])
{
    SCALAR rho = 0;
    p[0] = p[1] = p[2] = 0;
    switch (s->kind) {
    case ORACLE_POINT:
    case ORACLE_HALF_SPACE: break;
    case ORACLE_SEGMENT: p[2] = n[2] < 0 ? -(SCALAR)s->half_length : (SCALAR)s->half_length; break;
    case ORACLE_DISK:
    case ORACLE_CYLINDER:
        rho = SQRT(n[0] * n[0] + n[1] * n[1]);
        if (rho > 0) p[0] = (SCALAR)s->radius * (n[0] / rho), p[1] = (SCALAR)s->radius * (n[1] / rho);
        if (s->kind == ORACLE_CYLINDER) p[2] = n[2] < 0 ? -(SCALAR)s->half_length : (SCALAR)s->half_length;
        break;
    case ORACLE_CONE:
        rho = SQRT(n[0] * n[0] + n[1] * n[1]);
        p[2] = (SCALAR)s->half_length;
        if ((SCALAR)s->radius * rho > 2 * (SCALAR)s->half_length * n[2]) {
            p[2] = -p[2];
            if (rho > 0) p[0] = (SCALAR)s->radius * (n[0] / rho), p[1] = (SCALAR)s->radius * (n[1] / rho);
        }
        break;
    case ORACLE_BOX:
        p[0] = n[0] < 0 ? -(SCALAR)s->half.x : (SCALAR)s->half.x;
        p[1] = n[1] < 0 ? -(SCALAR)s->half.y : (SCALAR)s->half.y;
        p[2] = n[2] < 0 ? -(SCALAR)s->half.z : (SCALAR)s->half.z;
        break;
    case ORACLE_ELLIPSOID: {
        SCALAR m[3] = {(SCALAR)s->half.x * n[0], (SCALAR)s->half.y * n[1], (SCALAR)s->half.z * n[2]};
        rho = SQRT(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        if (rho > 0) {
            p[0] = (SCALAR)s->half.x * (m[0] / rho);
            p[1] = (SCALAR)s->half.y * (m[1] / rho);
            p[2] = (SCALAR)s->half.z * (m[2] / rho);
        }
        break;
    }
    case ORACLE_POINTS: {
        int best = 0;
        SCALAR high = 0;
        for (int i = 0; i < s->count; i++) {
            SCALAR d = n[0] * (SCALAR)s->points[i].x + n[1] * (SCALAR)s->points[i].y + n[2] * (SCALAR)s->points[i].z;
            if (i == 0 || d > high) high = d, best = i;
        }
        p[0] = (SCALAR)s->points[best].x, p[1] = (SCALAR)s->points[best].y, p[2] = (SCALAR)s->points[best].z;
        break;
    }
    case ORACLE_TAPER: {
        rho = SQRT(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        SCALAR low = (SCALAR)s->radius * rho - (SCALAR)s->half_length * n[2],
               high = (SCALAR)s->half.x * rho + (SCALAR)s->half_length * n[2];
        SCALAR radius = low > high ? (SCALAR)s->radius : (SCALAR)s->half.x;
        if (rho > 0)
            for (int i = 0; i < 3; i++) p[i] = radius * (n[i] / rho);
        p[2] += low > high ? -(SCALAR)s->half_length : (SCALAR)s->half_length;
        break;
    }
    }
}
