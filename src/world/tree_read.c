/* Reading of mass trees: relations, and print-out. */
#include "base/error.h"
#include "world/world.h"
#include <stdio.h>

static const fnd_body *find(const fender_world *world, fender_body_id id)
{
    return world && fnd_id_live(id.index1, id.generation, world->model.body_count) ? &world->model.bodies[id.index1 - 1]
                                                                                   : NULL;
}

fender_body_id fender_body_parent(const fender_world *world, fender_body_id id)
{
    const fnd_body *body = find(world, id);
    return fender_body_at(world, body ? body->parent : -1);
}

fender_body_id fender_body_root(const fender_world *world, fender_body_id id)
{
    return fender_body_at(world, find(world, id) ? fnd_tree_root(world->model.bodies, (int)id.index1 - 1) : -1);
}

fender_body_id fender_body_child_at(const fender_world *world, fender_body_id id, int index)
{
    const fnd_body *body = find(world, id);
    int child = body && index >= 0 ? body->first_child : -1;
    for (; index > 0 && child >= 0; index--) child = world->model.bodies[child].next_sibling;
    return fender_body_at(world, child);
}

fender_pose fender_body_pose_in_parent(const fender_world *world, fender_body_id id)
{
    const fnd_body *body = find(world, id);
    return body ? body->X_PS : fender_pose_identity();
}

bool fender_body_connection(const fender_world *world, fender_body_id id, fender_body_id *child, fender_body_id *parent)
{
    const fnd_body *body = find(world, id);
    if (!body || body->parent < 0) return false;
    if (child) *child = fender_body_at(world, body->connection_child);
    if (parent) *parent = fender_body_at(world, body->connection_parent);
    return true;
}

typedef struct printer {
    const fender_world *world;
    void (*write)(void *ctx, const char *line);
    void *ctx;
} printer;

static void print_properties(const printer *p, int indent, const char *label, double mass, fender_vec3 center,
                             const fender_mat3 *I)
{
    char line[700];
    snprintf(line, sizeof line,
             "%*s%-9s mass %s kg, centre [%s, %s, %s] m, inertia [[%s, %s, %s], [%s, %s, %s], [%s, %s, %s]] kg*m^2",
             indent, "", label, fnd_number(mass).text, fnd_number(center.x).text, fnd_number(center.y).text,
             fnd_number(center.z).text, fnd_number(I->m[0][0]).text, fnd_number(I->m[0][1]).text,
             fnd_number(I->m[0][2]).text, fnd_number(I->m[1][0]).text, fnd_number(I->m[1][1]).text,
             fnd_number(I->m[1][2]).text, fnd_number(I->m[2][0]).text, fnd_number(I->m[2][1]).text,
             fnd_number(I->m[2][2]).text);
    p->write(p->ctx, line);
}

static void print_body(const printer *p, int index, int indent)
{
    const fnd_body *bodies = p->world->model.bodies, *body = &bodies[index];
    char line[700];
    int n = snprintf(line, sizeof line, "%*s%s (%s)", indent, "", body->name, fender_motion_name(body->motion));
    if (body->parent >= 0 && n > 0 && (size_t)n < sizeof line)
        snprintf(line + n, sizeof line - (size_t)n,
                 " at [%s, %s, %s] m, attitude [%s, %s, %s, %s] in %s; connected %s to %s",
                 fnd_number(body->X_PS.p.x).text, fnd_number(body->X_PS.p.y).text, fnd_number(body->X_PS.p.z).text,
                 fnd_number(body->X_PS.q.w).text, fnd_number(body->X_PS.q.x).text, fnd_number(body->X_PS.q.y).text,
                 fnd_number(body->X_PS.q.z).text, bodies[body->parent].name, bodies[body->connection_child].name,
                 bodies[body->connection_parent].name);
    p->write(p->ctx, line);
    if (body->mass > 0) {
        print_properties(p, indent + 2, "core", body->core.mass, body->core.center_of_mass, &body->core.inertia);
        print_properties(p, indent + 2, "composite", body->mass, body->center_S, &body->inertia);
    }
    for (int i = 0; i < p->world->model.point_count; i++) {
        const fnd_point *point = &p->world->model.points[i];
        if (point->body != index) continue;
        snprintf(line, sizeof line, "%*spoint %s at [%s, %s, %s] m, attitude [%s, %s, %s, %s]", indent + 2, "",
                 point->name, fnd_number(point->X_SP.p.x).text, fnd_number(point->X_SP.p.y).text,
                 fnd_number(point->X_SP.p.z).text, fnd_number(point->X_SP.q.w).text, fnd_number(point->X_SP.q.x).text,
                 fnd_number(point->X_SP.q.y).text, fnd_number(point->X_SP.q.z).text);
        p->write(p->ctx, line);
    }
}

void fender_mass_tree_print(const fender_world *world, fender_body_id id, void (*write)(void *ctx, const char *line),
                            void *ctx)
{
    const printer p = {world, write, ctx};
    const fnd_body *bodies = world->model.bodies;
    for (int i = 0; i < world->model.body_count; i++) {
        if (find(world, id) ? i != (int)id.index1 - 1 : bodies[i].parent >= 0) continue;
        int at = i,
            depth = 0; /* children before siblings, without recursion: a chain may be as long as there are bodies */
        while (at >= 0) {
            print_body(&p, at, 2 * depth);
            if (bodies[at].first_child >= 0) {
                at = bodies[at].first_child;
                depth++;
                continue;
            }
            while (at != i && bodies[at].next_sibling < 0) at = bodies[at].parent, depth--;
            at = at == i ? -1 : bodies[at].next_sibling;
        }
    }
}
