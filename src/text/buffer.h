/* Growable text on the host's allocator. Failure is sticky: append freely, ask once. */
#ifndef FND_TEXT_BUFFER_H
#define FND_TEXT_BUFFER_H

#include <fender/base.h>

typedef struct fnd_buffer {
    fender_allocator allocator;
    char *text; /* NULL until the first append, else terminated */
    size_t length, capacity;
    bool failed; /* an append found no memory; what was appended before is intact */
} fnd_buffer;

fnd_buffer fnd_buffer_open(const fender_allocator *allocator);
void fnd_buffer_close(fnd_buffer *buffer);
/* Empties it and keeps the memory; a failure is forgotten. */
void fnd_buffer_clear(fnd_buffer *buffer);
/* The text so far, "" when there is none; valid until the next append. */
const char *fnd_buffer_text(const fnd_buffer *buffer);

/* Each returns false from the first failure on. */
bool fnd_buffer_append(fnd_buffer *buffer, const char *bytes, size_t length);
bool fnd_buffer_append_text(fnd_buffer *buffer, const char *text);
bool fnd_buffer_append_char(fnd_buffer *buffer, char c);
bool fnd_buffer_append_repeat(fnd_buffer *buffer, char c, size_t count);
/* Shortest text that reads back to the same bits. */
bool fnd_buffer_append_number(fnd_buffer *buffer, double value);
/* printf with the decimal point of the C locale, whatever the host's. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool fnd_buffer_appendf(fnd_buffer *buffer, const char *format, ...);
/* Makes room for `more` bytes besides the terminator. */
bool fnd_buffer_reserve(fnd_buffer *buffer, size_t more);

#endif
