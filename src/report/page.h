/* Elements of the page of `fender report` that are made, not copied. */
#ifndef FND_REPORT_PAGE_H
#define FND_REPORT_PAGE_H

#include <fender/io.h>

#include "support/memory.h"

/* Appends JSON that has been checked to be whole. A '<' becomes \u003c, for it could close the element that the text
 * stands in. Long lists of numbers under "vertices" and "triangles" become what a browser decodes at once:
 * {"origin":[x,y,z],"float32":"BASE64"}, points less the origin, and {"uint32":"BASE64"}, indices; little-endian. */
void fnd_page_append_json(fnd_buffer *page, const char *text, size_t length);

/* Appends {"format":"fender-model",..}: what the scenario of the run says of masses, contact types, rules and links.
 * Where it cannot be read any more (a plug-in is gone), "missing" holds the reason. */
void fnd_page_append_model(fnd_buffer *page, const fender_env *env, const char *run_directory);

/* Appends {"format":"fender-recordings",..}: the tables that the scenario asked for, thinned to what a page can plot.
 */
void fnd_page_append_recordings(fnd_buffer *page, const fender_env *env, const char *run_directory);

#endif
