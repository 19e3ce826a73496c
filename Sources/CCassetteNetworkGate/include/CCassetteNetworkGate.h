/// Stands before the system's `connect` and `getaddrinfo`, so that a test process can be kept off the network whatever
/// library asks: URLSession's curl, sockets of one's own, other HTTP stacks.
///
/// What is statically linked into an executable comes before what its shared libraries bring. Present on Linux with
/// glibc; elsewhere nothing is intercepted.
#ifndef CNETWORKGATE_H
#define CNETWORKGATE_H

#include <stdint.h>

/// Counts up, with 1, or down, with -1, how many want the network denied. While anybody does, the gate asks.
void cnetworkgate_deny(int change);

#endif
