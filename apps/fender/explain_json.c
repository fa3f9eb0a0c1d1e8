/* The answer of `fender explain` as JSON. */
#include "describe.h"
#include "explain.h"

static void write_shape(fnd_app_question *q, const char *key, fender_shape_id shape)
{
    fnd_app_stream name;
    fender_shape_def def;
    fnd_app_stream_open(&name, -1);
    fnd_app_put_shape(&name, q->world, shape);
    fnd_app_put_bytes(&name, "", 1);
    fnd_app_json_object(&q->json, key);
    fnd_app_json_text(&q->json, "name", name.buffer);
    if (fender_shape_get_def(q->world, shape, &def) == FENDER_STATUS_OK) {
        fnd_app_json_text(&q->json, "geometry", fender_geometry_type_name(fender_geometry_type_of(def.geometry)));
        fnd_app_json_text(&q->json, "material", fender_material_name(q->world, def.material));
        fnd_app_json_bool(&q->json, "active", def.active);
    }
    fnd_app_json_end(&q->json);
}

static void write_contact_type(fnd_app_question *q, fender_contact_type_id id)
{
    fender_contact_type_def type;
    if (fender_contact_type_get_def(q->world, id, &type) != FENDER_STATUS_OK) {
        fnd_app_json_text(&q->json, "contact_type", NULL);
        return;
    }
    fnd_app_json_object(&q->json, "contact_type");
    fnd_app_json_text(&q->json, "name", type.name);
    fnd_app_json_laws(&q->json, &type);
    fnd_app_json_end(&q->json);
}

static void write_start(fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    fender_contact_data data;
    if (fender_contact_between(q->world, a, b, &data) != FENDER_STATUS_OK) {
        fnd_app_json_text(&q->json, "start", NULL);
        return;
    }
    fnd_app_json_object(&q->json, "start");
    fnd_app_json_bool(&q->json, "touching", data.touching);
    fnd_app_json_number(&q->json, "separation", data.separation);
    fnd_app_json_number(&q->json, "depth", data.depth);
    fnd_app_json_number(&q->json, "depth_rate", data.depth_rate);
    fnd_app_json_end(&q->json);
}

static void write_pair(fnd_app_question *q, fender_shape_id a, fender_shape_id b)
{
    fender_pair_explanation explanation;
    if (fender_world_explain(q->world, a, b, &explanation) != FENDER_STATUS_OK) return;
    fnd_app_json_object(&q->json, NULL);
    fnd_app_json_bool(&q->json, "may_touch", explanation.reason == FENDER_PAIR_MAY_TOUCH);
    fnd_app_json_text(&q->json, "reason", fnd_app_reason_text(explanation.reason));
    write_shape(q, "base", explanation.a);
    write_shape(q, "follower", explanation.b);
    write_contact_type(q, explanation.use);
    fnd_app_json_rule(&q->json, "rule", q->world, q->scenario, explanation.rule);
    fnd_app_json_rule(&q->json, "overruled", q->world, q->scenario, explanation.overruled);
    fnd_app_json_number(&q->json, "onset_gap", explanation.onset_gap);
    fnd_app_json_number(&q->json, "release_gap", explanation.release_gap);
    write_start(q, a, b);
    fnd_app_json_end(&q->json);
}

void fnd_app_explain_json(fnd_app_question *q)
{
    fnd_app_json_open(&q->json, &q->app->out);
    fnd_app_json_object(&q->json, NULL);
    fnd_app_json_text(&q->json, "a", q->a.name);
    fnd_app_json_text(&q->json, "b", q->b.name);
    fnd_app_json_bool(&q->json, "may_touch", q->counts[FENDER_PAIR_MAY_TOUCH] > 0);
    fnd_app_json_integer(&q->json, "pair_count", q->counts[FENDER_PAIR_MAY_TOUCH]);
    fnd_app_json_array(&q->json, "pairs");
    fnd_app_each_pair(q, write_pair);
    fnd_app_json_end(&q->json);
    fnd_app_json_end(&q->json);
}
