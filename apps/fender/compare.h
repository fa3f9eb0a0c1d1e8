/* Between the parts of `fender compare`: what was compared, as text and as JSON. */
#ifndef FND_APP_COMPARE_H
#define FND_APP_COMPARE_H

#include "app.h"
#include "series/compare.h"

void fnd_app_compare_text(fnd_app *app, const fnd_compare_def *def, const fnd_comparisons *found);
void fnd_app_compare_json(fnd_app *app, const fnd_compare_def *def, const fnd_comparisons *found);

#endif
