/// The files of the inspector's page, as they lie beside this header, in the program itself.
///
/// `#embed` (C23) puts them there at no cost; an array of bytes in Swift takes the compiler half a minute.
#ifndef CMOCKSERVERINSPECTOR_H
#define CMOCKSERVERINSPECTOR_H

#include <stddef.h>

/// The page.
const unsigned char *mockserver_inspector_html(void);
/// How many bytes it has.
size_t mockserver_inspector_html_count(void);
/// Its script.
const unsigned char *mockserver_inspector_js(void);
/// How many bytes it has.
size_t mockserver_inspector_js_count(void);
/// Its style.
const unsigned char *mockserver_inspector_css(void);
/// How many bytes it has.
size_t mockserver_inspector_css_count(void);

#endif
