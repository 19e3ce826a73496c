/// The files of the inspector's page (in the folder `Page`), embedded in the program.
///
/// `#embed` (C23) takes no time; an array of bytes in Swift takes the compiler half a minute.
#ifndef CMOCKSERVERINSPECTOR_H
#define CMOCKSERVERINSPECTOR_H

#include <stddef.h>

/// The HTML page.
const unsigned char *mockserver_inspector_html(void);
/// The length of the page in bytes.
size_t mockserver_inspector_html_count(void);
/// The script.
const unsigned char *mockserver_inspector_js(void);
/// The length of the script in bytes.
size_t mockserver_inspector_js_count(void);
/// The style sheet.
const unsigned char *mockserver_inspector_css(void);
/// The length of the style sheet in bytes.
size_t mockserver_inspector_css_count(void);

#endif
