#ifdef __linux__
#define _GNU_SOURCE
#include "CMockServerEpoll.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int descriptor, uint32_t interest) {
  struct epoll_event event = {.events = interest, .data.fd = descriptor};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int cepoll_add(int epoll, int descriptor, uint32_t interest) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, interest);
}

int cepoll_change(int epoll, int descriptor, uint32_t interest) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, interest);
}

int cepoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0); }

int cepoll_wait(int epoll, struct cepoll_event *events, int capacity, int milliseconds) {
  struct epoll_event ready[256];
  int count = epoll_wait(epoll, ready, capacity < 256 ? capacity : 256, milliseconds);
  for (int i = 0; i < count; i++) {
    events[i].descriptor = ready[i].data.fd;
    events[i].ready = ready[i].events;
  }
  return count;
}

int cepoll_wakeup_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void cepoll_wakeup_signal(int wakeup) {
  uint64_t one = 1;
  ssize_t ignored = write(wakeup, &one, sizeof one);
  (void)ignored;
}

void cepoll_wakeup_drain(int wakeup) {
  uint64_t count;
  ssize_t ignored = read(wakeup, &count, sizeof count);
  (void)ignored;
}

int cepoll_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

// The function of a thread and its argument. The thread frees them.
struct start {
  void (*body)(void *context);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int cepoll_thread_start(void (*body)(void *context), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct start){body, context};
  pthread_attr_t attributes;
  int code = pthread_attr_init(&attributes);
  if (code == 0) {
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The default of glibc; the default of musl is 128 KB.
    pthread_attr_setstacksize(&attributes, 8 << 20);
    // Other threads wait for the signals of the process. A thread inherits the mask of its creator.
    sigset_t blocked, before;
    sigfillset(&blocked);
    static const int own[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE};
    for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&blocked, own[index]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    code = pthread_create(&thread, &attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
  }
  if (code != 0) free(start);
  return code;
}
#else
typedef int cepoll_is_for_linux;
#endif
