/* The bytes of the replay page that a report is filled into; made at build time from web/. */
#ifndef FND_REPORT_VIEWER_HTML_H
#define FND_REPORT_VIEWER_HTML_H

#include <stddef.h>

extern const unsigned char fnd_viewer_html[]; /* not terminated */
extern const size_t fnd_viewer_html_size;

#endif
