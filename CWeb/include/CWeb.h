// The files of the search page, as constants of the program: Swift would take seconds to compile such literals.

#ifndef CWEB_H
#define CWEB_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The bytes of a file, which stay where they are as long as the program runs.
typedef struct CWebFile {
    const unsigned char *_Nonnull bytes;
    ptrdiff_t count;
} CWebFile;

CWebFile cweb_client_js(void);
CWebFile cweb_icon_svg(void);
CWebFile cweb_index_html(void);
CWebFile cweb_live_js(void);
CWebFile cweb_openapi_json(void);
CWebFile cweb_search_js(void);
CWebFile cweb_status_html(void);
CWebFile cweb_status_js(void);
CWebFile cweb_style_css(void);

#ifdef __cplusplus
}
#endif

#endif
