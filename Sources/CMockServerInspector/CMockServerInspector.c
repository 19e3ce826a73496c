#include "CMockServerInspector.h"

#if !defined(__has_embed)
#error "the inspector's page needs a compiler with #embed: Swift 6.2 or Xcode 26 and newer have one"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "Page/inspector.html"
};
static const unsigned char js[] = {
#embed "Page/inspector.js"
};
static const unsigned char css[] = {
#embed "Page/inspector.css"
};

const unsigned char *mockserver_inspector_html(void) { return html; }
size_t mockserver_inspector_html_count(void) { return sizeof html; }
const unsigned char *mockserver_inspector_js(void) { return js; }
size_t mockserver_inspector_js_count(void) { return sizeof js; }
const unsigned char *mockserver_inspector_css(void) { return css; }
size_t mockserver_inspector_css_count(void) { return sizeof css; }
