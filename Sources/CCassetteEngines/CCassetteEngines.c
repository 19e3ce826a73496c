#include "CCassetteEngines.h"

__attribute__((weak)) void cassette_register_engines(void) {}
