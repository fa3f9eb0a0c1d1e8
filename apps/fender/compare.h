/* Between the parts of `fender compare`: what was compared, as text and as JSON. */
#ifndef FND_APP_COMPARE_H
#define FND_APP_COMPARE_H

#include "app.h"
#include <fender/comparison.h>

void fnd_app_compare_text(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found);
void fnd_app_compare_json(fnd_app *app, const fender_comparison_def *def, const fender_comparison *found);

#endif
