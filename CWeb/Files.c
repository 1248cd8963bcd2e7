#include "CWeb.h"

// `#embed` is of C23, which this file alone uses: the compiler takes the bytes as they are, and sees when they change.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define FILE_OF(name)                                                                                                  \
    CWebFile cweb_##name(void) {                                                                                       \
        return (CWebFile){name, sizeof name};                                                                          \
    }

static const unsigned char client_js[] = {
#embed "../Sources/TextIndexServer/Web/client.js"
};
FILE_OF(client_js)

static const unsigned char icon_svg[] = {
#embed "../Sources/TextIndexServer/Web/icon.svg"
};
FILE_OF(icon_svg)

static const unsigned char index_html[] = {
#embed "../Sources/TextIndexServer/Web/index.html"
};
FILE_OF(index_html)

static const unsigned char live_js[] = {
#embed "../Sources/TextIndexServer/Web/live.js"
};
FILE_OF(live_js)

static const unsigned char openapi_json[] = {
#embed "../Sources/TextIndexServer/Web/openapi.json"
};
FILE_OF(openapi_json)

static const unsigned char search_js[] = {
#embed "../Sources/TextIndexServer/Web/search.js"
};
FILE_OF(search_js)

static const unsigned char status_html[] = {
#embed "../Sources/TextIndexServer/Web/status.html"
};
FILE_OF(status_html)

static const unsigned char status_js[] = {
#embed "../Sources/TextIndexServer/Web/status.js"
};
FILE_OF(status_js)

static const unsigned char style_css[] = {
#embed "../Sources/TextIndexServer/Web/style.css"
};
FILE_OF(style_css)
