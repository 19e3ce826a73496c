/// Replaces the system's `connect` and `getaddrinfo`, in order to deny the network to a test process for all libraries:
/// URLSession's curl, code with its own sockets, other HTTP stacks.
///
/// Functions in an executable take precedence over those in shared libraries. The replacements exist on Linux with glibc;
/// on other platforms, nothing is intercepted.
#ifndef CNETWORKGATE_H
#define CNETWORKGATE_H

#include <stdint.h>

/// Changes the number of denials by 1 or -1. While it is positive, each connection needs permission.
void cnetworkgate_deny(int change);

#endif
