/* The plane of --ground, and shapes that begin below it. */
#include "model_import/ground.h"

#include "model_import/contact_types.h"
#include "support/number.h"

#include <fender/mesh_file.h>

#include <math.h>
#include <string.h>

static const double DEEP = 5e-3; /* m, that contacts of URDF yield under the whole weight */

static double farthest(const fender_vec3 *points, int count, fender_vec3 along)
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++) most = fmax(most, fender_vec3_dot(points[i], along));
    return most;
}

static double farthest_of_mesh(fnd_model *model, const fnd_model_shape *s, fender_vec3 along)
{
    fender_mesh_file *file = fnd_model_read_mesh(model, &s->location, s->file, s->scale);
    if (!file) return -INFINITY;
    const fender_mesh_def mesh = fender_mesh_file_triangles(file);
    const double most = farthest(mesh.vertices, mesh.vertex_count, along);
    fender_mesh_file_destroy(file);
    return most;
}

/* How far a shape extends from its origin, in its axes. */
static double extent(fnd_model *model, const fnd_model_shape *s, fender_vec3 along)
{
    const fender_vec3 size = s->size;
    double most = -INFINITY;
    switch (s->kind) {
    case FND_MODEL_SPHERE: return size.x;
    case FND_MODEL_CAPSULE: return size.x + size.y * fabs(along.z);
    case FND_MODEL_CYLINDER: return size.x * hypot(along.x, along.y) + size.y * fabs(along.z);
    case FND_MODEL_BOX: return size.x * fabs(along.x) + size.y * fabs(along.y) + size.z * fabs(along.z);
    case FND_MODEL_ELLIPSOID:
        return fender_vec3_length(fender_vec3_make(size.x * along.x, size.y * along.y, size.z * along.z));
    case FND_MODEL_MESH: return farthest_of_mesh(model, s, along);
    case FND_MODEL_POINTS:
        for (int i = 0; i < s->count; i++) {
            const double *p = s->values + 3 * (size_t)i;
            most = fmax(most, p[0] * along.x + p[1] * along.y + p[2] * along.z);
        }
        return most;
    case FND_MODEL_PLANE:
    case FND_MODEL_GRID: break; /* of what does not move */
    }
    return most;
}

static fnd_phrase rounded(double value, int count)
{
    char digits[FND_NUMBER_SIZE];
    (void)fnd_number_format_digits(value, count, digits, sizeof digits);
    return fnd_phrase_make("%s", digits);
}

static void warn_of_depth(fnd_model *model, const fnd_model_material *ground)
{
    const fnd_model_shape *lowest = NULL;
    double least = -DEEP;
    for (const fnd_model_body *b = model->bodies; b; b = b->next)
        for (const fnd_model_shape *s = b->shapes; s; s = s->next) {
            if (!fnd_model_may_touch(model, &model->materials[s->material], ground)) continue;
            const fender_pose pose = fender_pose_product(b->world, s->pose);
            const fender_vec3 down = {0, 0, -1};
            const double z = pose.p.z -
                             extent(model, s, fender_quaternion_rotate(fender_quaternion_conjugate(pose.q), down));
            if (!(z < least)) continue;
            least = z;
            lowest = s;
        }
    if (!lowest) return;
    const fnd_model_body *root = lowest->body->cluster;
    while (root->link) root = root->parent->cluster;
    const fender_vec3 p = root->world.p;
    fnd_phrase says = fnd_phrase_make("shape '%.40s' of '%.40s' begins at z = %s m, below the ground", lowest->name,
                                      lowest->body->original, rounded(least, 4).text);
    fnd_phrase remedy = {""};
    if (!root->fixed)
        remedy = fnd_phrase_make("place '%.40s' at [%s, %s, %s]: bodies.%.40s.state.position", root->original,
                                 rounded(p.x, 12).text, rounded(p.y, 12).text, rounded(p.z - least, 12).text,
                                 root->name);
    fnd_model_warn(model, &lowest->location, says.text, remedy.text);
}

bool fnd_model_add_ground(fnd_model *model)
{
    fnd_model_body *ground = FND_MODEL_NEW(model, fnd_model_body);
    fnd_model_material *more = fnd_model_keep(model, (size_t)model->material_count + 1, sizeof *more);
    if (!ground || !more) return false;
    *ground = (fnd_model_body){.original = "ground", .name = "ground", .fixed = true, .location = model->location};
    ground->cluster = ground;
    if (model->material_count > 0) memcpy(more, model->materials, (size_t)model->material_count * sizeof *more);
    fnd_model_surface surface = {.friction = {1, 0.005, 0.0001},
                                 .solref = {0.02, 1},
                                 .solimp = {0.9, 0.95, 0.001, 0.5, 2},
                                 .solmix = 1,
                                 .condim = 3,
                                 .contype = 1,
                                 .conaffinity = 1};
    more[model->material_count++] = (fnd_model_material){"ground", ground, surface};
    model->materials = more;
    warn_of_depth(model, &more[model->material_count - 1]);
    return !model->failed_memory;
}
