/* The bytes of the page that a study is filled into; made at build time from web/src/study. */
#ifndef FND_STUDY_PAGE_HTML_H
#define FND_STUDY_PAGE_HTML_H

#include <stddef.h>

extern const unsigned char fnd_study_page_html[]; /* not terminated */
extern const size_t fnd_study_page_html_size;

#endif
