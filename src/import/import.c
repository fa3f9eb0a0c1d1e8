/* Words, errors and memory of an import. */
#include "import/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/fault.h"
#include "text/number.h"

fnd_words fnd_words_make(const char *format, ...)
{
    fnd_words words;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words.text, sizeof words.text, format, arguments);
    va_end(arguments);
    return words;
}

fnd_words fnd_words_of(const char *text, size_t length)
{
    fnd_words words;
    if (length == 0) return fnd_words_make("nothing");
    fnd_io_excerpt(words.text, 64, text, length);
    return words;
}

fnd_words fnd_words_number(double value)
{
    fnd_words words;
    fnd_number_format(value, words.text, sizeof words.text);
    return words;
}

static bool refuse(fnd_import *import, fender_status status, int line, const char *message, const char *found,
                   const char *expected, const char *suggestion)
{
    fnd_io_fail(import->error, (fnd_io_fault){.status = status,
                                              .source = import->name,
                                              .line = line,
                                              .column = line > 0 ? 1 : 0,
                                              .message = message,
                                              .found = found,
                                              .expected = expected,
                                              .suggestion = suggestion});
    return false;
}

bool fnd_import_refuse(fnd_import *import, int line, const char *message, const char *found, const char *expected,
                       const char *suggestion)
{
    return refuse(import, FENDER_STATUS_PARSE, line, message, found, expected, suggestion);
}

bool fnd_import_refuse_value(fnd_import *import, const char *message, const char *found, const char *expected,
                             const char *suggestion)
{
    return refuse(import, FENDER_STATUS_VALUE, 0, message, found, expected, suggestion);
}

void *fnd_import_allocate(fnd_import *import, size_t count, size_t size)
{
    const fender_allocator *a = &import->env.allocator;
    void *memory = count > SIZE_MAX / size
                       ? NULL
                       : a->allocate(a->ctx, count > 0 ? count * size : size, _Alignof(max_align_t));
    if (!memory) fnd_io_fail_memory(import->error, "a mesh");
    return memory;
}

void fnd_import_release(fnd_import *import, void *memory, size_t count, size_t size)
{
    const fender_allocator *a = &import->env.allocator;
    if (memory) a->release(a->ctx, memory, count > 0 ? count * size : size);
}
