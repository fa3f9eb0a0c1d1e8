/* JSON written into a buffer: strings and numbers. */
#ifndef FND_TEXT_JSON_H
#define FND_TEXT_JSON_H

#include "text/buffer.h"

/* A quoted string. Control characters are escaped, bytes that are not UTF-8 become U+FFFD, and "</" and "<!" are
 * written so that the text may stand inside a script element of an HTML page. */
bool fnd_json_text(fnd_buffer *buffer, const char *text);
bool fnd_json_bytes(fnd_buffer *buffer, const char *text, size_t length);
/* The shortest number that reads back to the same bits; null for inf and nan, which JSON cannot say. */
bool fnd_json_number(fnd_buffer *buffer, double value);
/* "name": with the comma before it unless it is the first of its object. */
bool fnd_json_key(fnd_buffer *buffer, const char *name, bool first);

#endif
