// Tables of the Unicode Character Database, as Scripts/generate-unicode-tables.py makes them: constants of the
// program, so that opening an index neither decodes nor copies them. Swift would take minutes to compile such literals.

#ifndef CUNICODE_H
#define CUNICODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Numbers that stay where they are as long as the program runs; never none.
typedef struct CUnicodeTable8 {
    const uint8_t *_Nonnull numbers;
    ptrdiff_t count;
} CUnicodeTable8;

typedef struct CUnicodeTable16 {
    const uint16_t *_Nonnull numbers;
    ptrdiff_t count;
} CUnicodeTable16;

typedef struct CUnicodeTable32 {
    const uint32_t *_Nonnull numbers;
    ptrdiff_t count;
} CUnicodeTable32;

// The version of Unicode.
const char *_Nonnull cunicode_version(void);
// The version of what is made of it.
int cunicode_table_version(void);

// Tries of two stages: the number of the block of 128 scalars, then the value of each scalar in the blocks.
// Properties: the number of a record of four bytes.
CUnicodeTable16 cunicode_property_blocks(void);
CUnicodeTable8 cunicode_property_values(void);
// Word-break class, grapheme-break class, combining class, flags.
CUnicodeTable8 cunicode_property_records(void);
// Folds: a place in the pool, which holds a length and so many scalars there; 0 for a scalar that folds to itself.
CUnicodeTable16 cunicode_fold_blocks(void);
CUnicodeTable16 cunicode_fold_values(void);
CUnicodeTable32 cunicode_fold_pool(void);
// First, second, composite; sorted; those that folding leaves alone.
CUnicodeTable32 cunicode_compositions(void);
// Single steps of folding: a place in the pool, which holds a kind and a length there, then the scalars; 0 for none.
CUnicodeTable16 cunicode_step_blocks(void);
CUnicodeTable16 cunicode_step_values(void);
CUnicodeTable32 cunicode_step_pool(void);
// First, second, composite; sorted; whatever folding does to them.
CUnicodeTable32 cunicode_all_compositions(void);
// Scalar and its simple lower case; sorted.
CUnicodeTable32 cunicode_lower_case(void);

// The root collation of CLDR, as Scripts/generate-collation-table.py makes it.
// The version of Unicode.
const char *_Nonnull cunicode_collation_version(void);
// A trie like those above, of numbers of 32 bits. The first two bits say what the others are: 0 is a collation element, 1 the place in the pool of
// a count and so many elements, 2 the place of those of contractions, 3 the place of a count and a canonical decomposition. A scalar of value
// 0 has its weights by a rule. An element has 16 bits of primary weight, nine of secondary and five of tertiary weight.
CUnicodeTable16 cunicode_collation_blocks(void);
CUnicodeTable32 cunicode_collation_values(void);
// Contractions: a count and the scalar's own elements, how many sequences begin with it, longer ones first, and for each a count and the further
// scalars, then a count and the elements.
CUnicodeTable32 cunicode_collation_pool(void);
// The first and the last of each range of unified ideographs; sorted.
CUnicodeTable32 cunicode_collation_ideographs(void);

#ifdef __cplusplus
}
#endif

#endif
