/// Functions of Linux that Swift's Glibc module does not export: epoll, eventfd and accept4, with integer parameters; and
/// the thread of a loop.
///
/// This header includes neither `sys/epoll.h` nor `sys/socket.h`, because Swift would then see two copies of types that
/// Glibc already exports. It is empty on systems without epoll.
#ifndef CEPOLL_H
#define CEPOLL_H

#include <stdint.h>

#ifdef __linux__

/// An event: a descriptor, and the operations that it is ready for.
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

/// Creates an epoll instance. Returns its descriptor, or -1 with `errno` set.
int cepoll_create(void);

/// Adds `descriptor`. Returns 0, or -1 with `errno` set.
int cepoll_add(int epoll, int descriptor, uint32_t interest);

/// Changes the events that `descriptor` waits for. Returns 0, or -1 with `errno` set.
int cepoll_change(int epoll, int descriptor, uint32_t interest);

/// Removes `descriptor`. Returns 0, or -1 with `errno` set.
int cepoll_remove(int epoll, int descriptor);

/// Waits at most `milliseconds` (-1: without limit) and fills `events`. Returns their number, or -1 with `errno` set.
int cepoll_wait(int epoll, struct cepoll_event *events, int capacity, int milliseconds);

/// Creates an event counter that wakes an epoll instance. Returns its descriptor, or -1 with `errno` set.
int cepoll_wakeup_create(void);

/// Wakes the epoll instances that wait for `wakeup`.
void cepoll_wakeup_signal(int wakeup);

/// Resets the counter, so that the next wait sleeps again.
void cepoll_wakeup_drain(int wakeup);

/// Runs `body(context)` on a detached thread that receives no signals of the process. Returns 0, or an error number.
int cepoll_thread_start(void (*body)(void *context), void *context);

/// Accepts one connection, non-blocking and closed on exec, with one system call (`accept4` is a GNU extension).
int cepoll_accept(int listener);

#endif
#endif
