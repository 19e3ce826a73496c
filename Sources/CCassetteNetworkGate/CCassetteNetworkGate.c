#define _GNU_SOURCE
#include "CCassetteNetworkGate.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef int (*connect_function)(int, const struct sockaddr *, socklen_t);
typedef int (*getaddrinfo_function)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

/// Implemented in Swift: returns 1 to permit a connection or a look-up, 0 to deny it. `host` is the name to look up, or NULL.
extern int32_t cassette_network_decides(const char *host, const char *address, int32_t port);
/// Implemented in Swift: notes the address of a permitted host.
extern void cassette_network_found(const char *host, const char *address);

static atomic_int denials;

/// Denies the network before any code of the test runs, if the environment says so.
__attribute__((constructor)) static void deny_from_the_start(void) {
  const char *word = getenv("CASSETTE_NETWORK");
  if (word && strcmp(word, "deny") == 0) atomic_fetch_add(&denials, 1);
}

void cnetworkgate_deny(int change) { atomic_fetch_add(&denials, change); }

/// Writes an address as text and returns the port, or -1 if the address is neither IPv4 nor IPv6.
static int describe(const struct sockaddr *address, socklen_t length, char *text, socklen_t size) {
  if (address && address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    return inet_ntop(AF_INET, &four->sin_addr, text, size) ? ntohs(four->sin_port) : -1;
  }
  if (address && address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    return inet_ntop(AF_INET6, &six->sin6_addr, text, size) ? ntohs(six->sin6_port) : -1;
  }
  return -1;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
  static _Atomic(connect_function) real;
  connect_function next = atomic_load(&real);
  if (!next) {
    next = (connect_function)dlsym(RTLD_NEXT, "connect");
    atomic_store(&real, next);
  }
  if (!next) {
    errno = ENOSYS;
    return -1;
  }
  if (atomic_load_explicit(&denials, memory_order_relaxed) > 0) {
    char text[INET6_ADDRSTRLEN];
    int port = describe(address, length, text, sizeof text);
    if (port >= 0 && !cassette_network_decides(NULL, text, port)) {
      errno = ENETUNREACH;
      return -1;
    }
  }
  return next(descriptor, address, length);
}

int getaddrinfo(
    const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  static _Atomic(getaddrinfo_function) real;
  getaddrinfo_function next = atomic_load(&real);
  if (!next) {
    next = (getaddrinfo_function)dlsym(RTLD_NEXT, "getaddrinfo");
    atomic_store(&real, next);
  }
  if (!next) return EAI_SYSTEM;
  if (!host || atomic_load_explicit(&denials, memory_order_relaxed) == 0) return next(host, service, hints, found);
  if (!cassette_network_decides(host, NULL, 0)) return EAI_NONAME;
  int outcome = next(host, service, hints, found);
  if (outcome == 0) {
    for (struct addrinfo *one = *found; one; one = one->ai_next) {
      char text[INET6_ADDRSTRLEN];
      if (describe(one->ai_addr, one->ai_addrlen, text, sizeof text) >= 0) cassette_network_found(host, text);
    }
  }
  return outcome;
}

#else

void cnetworkgate_deny(int change) { (void)change; }

#endif
