// Snowball's stemmers behind an interface that checks what libstemmer takes for granted.
//
// Conventions:
// 1. Words and stems are UTF-8 with a length; they may hold NUL bytes.
// 2. A cstemmer belongs to one thread at a time. Different ones share nothing.

#ifndef CSTEMMER_H
#define CSTEMMER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cstemmer cstemmer;

typedef enum cstemmer_code {
    CSTEMMER_OK = 0,
    CSTEMMER_UNKNOWN_LANGUAGE,
    CSTEMMER_NO_MEMORY,
    CSTEMMER_TOO_LONG,
} cstemmer_code;

// Some algorithms move the end of the word once for every suffix that they remove, so that long
// words take quadratic time. No word of a language is as long as this.
#define CSTEMMER_MAX_WORD_LENGTH ((size_t)255)

// The names of the algorithms that are installed, ended by NULL; static.
const char *const *cstemmer_languages(void);

// On CSTEMMER_OK `*stemmer` is to be released with cstemmer_delete, otherwise it is NULL.
cstemmer_code cstemmer_new(const char *language, cstemmer **stemmer);

void cstemmer_delete(cstemmer *stemmer);

// On CSTEMMER_OK `*stem` and `*stem_length` are the stem, valid until the next call with this
// stemmer; otherwise NULL and 0. `word` must be well-formed UTF-8; it may be NULL when
// `length` is 0. A stem may be empty, and longer than the word.
cstemmer_code cstemmer_stem(cstemmer *stemmer, const uint8_t *word, size_t length,
                            const uint8_t **stem, size_t *stem_length);

#ifdef __cplusplus
}
#endif

#endif
