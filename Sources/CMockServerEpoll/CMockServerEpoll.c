#ifdef __linux__
#define _GNU_SOURCE
#include "CMockServerEpoll.h"
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
#else
typedef int cepoll_is_for_linux;
#endif
