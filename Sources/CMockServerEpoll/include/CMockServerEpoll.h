/// The parts of Linux that Swift's Glibc module leaves out: epoll, eventfd and accept4, as functions over integers; and
/// a thread for a loop.
///
/// This header includes neither `sys/epoll.h` nor `sys/socket.h`: a C module that did would give Swift a second
/// copy of types Glibc already has. Empty on systems without epoll.
#ifndef CEPOLL_H
#define CEPOLL_H

#include <stdint.h>

#ifdef __linux__

/// One readiness report: which descriptor, and what it is ready for.
struct cepoll_event {
  int32_t descriptor;
  uint32_t ready;
};

enum {
  CEPOLL_READABLE = 1u,
  CEPOLL_WRITABLE = 4u,
  CEPOLL_FAILED = 8u,
  CEPOLL_HUNG_UP = 16u,
  CEPOLL_EXCLUSIVE = 1u << 28,
};

/// Makes an epoll instance. Returns its descriptor, or -1 with `errno` set.
int cepoll_create(void);

/// Adds `descriptor`. Returns 0, or -1 with `errno` set.
int cepoll_add(int epoll, int descriptor, uint32_t interest);

/// Changes what `descriptor` waits for. Returns 0, or -1 with `errno` set.
int cepoll_change(int epoll, int descriptor, uint32_t interest);

/// Removes `descriptor`. Returns 0, or -1 with `errno` set.
int cepoll_remove(int epoll, int descriptor);

/// Waits at most `milliseconds` (-1: for ever) and fills `events`. Returns how many, or -1 with `errno` set.
int cepoll_wait(int epoll, struct cepoll_event *events, int capacity, int milliseconds);

/// Makes a counter that wakes an epoll instance. Returns its descriptor, or -1 with `errno` set.
int cepoll_wakeup_create(void);

/// Wakes whoever waits for `wakeup`.
void cepoll_wakeup_signal(int wakeup);

/// Takes the signal back, so that the next wait sleeps again.
void cepoll_wakeup_drain(int wakeup);

/// Runs `body(context)` on a detached thread that takes no signals of the process. Returns 0, or an error number.
int cepoll_thread_start(void (*body)(void *context), void *context);

/// Takes one waiting connection, non-blocking and closed on exec, in one system call (`accept4` is a GNU extension).
int cepoll_accept(int listener);

#endif
#endif
