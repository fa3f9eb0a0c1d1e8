/* Taking paths of channels apart. */
#include "record/channel_path.h"

#include <string.h>

bool fnd_channel_path_split(const char *pattern, fnd_channel_path *path)
{
    memset(path, 0, sizeof *path);
    path->pattern = pattern;
    for (const char *at = pattern;; at++) {
        /* "inertia[0][1]" is two words: what is in brackets is a component */
        size_t length = strcspn(at, at > pattern && *at == '[' ? ".:" : ".:[");
        if (length == 0 || path->count == FND_PATH_WORDS) return false;
        path->words[path->count++] = (fnd_word){at, length};
        at += length;
        if (*at == '\0') return true;
        if (*at == '[') at--;
        if (*at == ':') {
            if (path->colon) return false;
            path->colon = path->count;
        }
    }
}

bool fnd_word_is(fnd_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

bool fnd_word_fits(fnd_word word, const char *name) { return fnd_word_is_any(word) || fnd_word_is(word, name); }
