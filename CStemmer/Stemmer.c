#include "CStemmer.h"

#include <stdlib.h>
#include <string.h>

// Debian and Homebrew have the header at the top; some distributions in a folder of its own.
#if __has_include(<libstemmer.h>)
#include <libstemmer.h>
#elif __has_include(<libstemmer/libstemmer.h>)
#include <libstemmer/libstemmer.h>
#else
#error "libstemmer.h is missing: run Scripts/setup, or install Snowball's libstemmer with its headers"
#endif

struct cstemmer {
    // NULL after a failure, until the next word.
    struct sb_stemmer *algorithm;
    // Lies in libstemmer's own table, which is static.
    const char *language;
};

const char *const *cstemmer_languages(void) { return (const char *const *)sb_stemmer_list(); }

cstemmer_code cstemmer_new(const char *language, cstemmer **stemmer) {
    *stemmer = NULL;
    // libstemmer gives NULL for an unknown language as well as without memory; this tells them apart.
    // It also keeps out its aliases, such as codes of languages.
    const char *const *known = cstemmer_languages();
    while (*known != NULL && strcmp(*known, language) != 0) known++;
    if (*known == NULL) return CSTEMMER_UNKNOWN_LANGUAGE;

    cstemmer *made = malloc(sizeof *made);
    if (made == NULL) return CSTEMMER_NO_MEMORY;
    made->language = *known;
    made->algorithm = sb_stemmer_new(*known, "UTF_8");
    if (made->algorithm == NULL) {
        free(made);
        return CSTEMMER_NO_MEMORY;
    }
    *stemmer = made;
    return CSTEMMER_OK;
}

void cstemmer_delete(cstemmer *stemmer) {
    if (stemmer == NULL) return;
    sb_stemmer_delete(stemmer->algorithm);
    free(stemmer);
}

cstemmer_code cstemmer_stem(cstemmer *stemmer, const uint8_t *word, size_t length,
                            const uint8_t **stem, size_t *stem_length) {
    *stem = NULL;
    *stem_length = 0;
    if (length > CSTEMMER_MAX_WORD_LENGTH) return CSTEMMER_TOO_LONG;
    if (stemmer->algorithm == NULL) {
        stemmer->algorithm = sb_stemmer_new(stemmer->language, "UTF_8");
        if (stemmer->algorithm == NULL) return CSTEMMER_NO_MEMORY;
    }
    static const uint8_t nothing[1] = {0};
    const sb_symbol *result =
        sb_stemmer_stem(stemmer->algorithm, length == 0 ? nothing : word, (int)length);
    int result_length = result == NULL ? 0 : sb_stemmer_length(stemmer->algorithm);
    if (result == NULL || result_length < 0) {
        // Having failed to grow, libstemmer 2.2.0 has lost its buffer but still knows the length of
        // what was in it, and would move that many bytes at the next word.
        sb_stemmer_delete(stemmer->algorithm);
        stemmer->algorithm = NULL;
        return CSTEMMER_NO_MEMORY;
    }
    *stem = result;
    *stem_length = (size_t)result_length;
    return CSTEMMER_OK;
}
