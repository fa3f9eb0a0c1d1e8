/* The question that `fender explain` answers, and its answers as text and as JSON. */
#ifndef FND_APP_EXPLAIN_H
#define FND_APP_EXPLAIN_H

#include "app.h"

enum { FND_APP_REASON_COUNT = FENDER_PAIR_NO_STATE + 1 };

/* A body, or one shape of it. */
typedef struct fnd_app_side {
    const char *name;
    fender_body_id body;
    fender_shape_id shape; /* null: all of the body's */
} fnd_app_side;

typedef struct fnd_app_question {
    fnd_app *app;
    const fender_scenario *scenario;
    const fender_world *world;
    fnd_app_side a, b;
    int64_t pairs, counts[FND_APP_REASON_COUNT];
    fender_pair_explanation examples[FND_APP_REASON_COUNT]; /* the first pair of each reason */
    fnd_app_json json;
} fnd_app_question;

bool fnd_app_side_holds(const fnd_app_question *q, const fnd_app_side *side, fender_shape_id shape);
/* Calls `visit` for every pair of shapes, the first from side a; a shape and itself are no pair. */
void fnd_app_each_pair(fnd_app_question *q, void (*visit)(fnd_app_question *q, fender_shape_id a, fender_shape_id b));
void fnd_app_explain_text(fnd_app_question *q);
void fnd_app_explain_json(fnd_app_question *q);

#endif
