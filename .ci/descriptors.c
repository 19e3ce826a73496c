// Checks the use of descriptors in a process that preloads this library (LD_PRELOAD, see .ci/descriptors).
//
// Three errors occasionally cause crashes elsewhere: closing a descriptor that an epoll instance still watches (a child
// process that is being started has a copy, so the kernel continues to report events), closing a number twice, and a
// hang-up of a descriptor that Dispatch watches, which makes Dispatch free its record while its manager thread may be
// reading it (swift-corelibs-libdispatch #949). Each error is logged as a line in $DESCRIPTORS_LOG.PID.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define COUNT 65536
#define LINES 200

static int (*real_control)(int, int, int, struct epoll_event *);
static int (*real_wait)(int, struct epoll_event *, int, int);
static int (*real_close)(int);
static int out = -1;

// The descriptors that each epoll instance watches, and the number of instances that watch each descriptor.
static uint8_t *waits_on[COUNT];
static int waiting[COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic int dispatch = -1;
static _Atomic uintptr_t manager;
static _Atomic long closed_early, closed_twice, hung_up, ours, others;

__attribute__((constructor)) static void begin(void) {
  real_control = dlsym(RTLD_NEXT, "epoll_ctl");
  real_wait = dlsym(RTLD_NEXT, "epoll_wait");
  real_close = dlsym(RTLD_NEXT, "close");
  const char *log = getenv("DESCRIPTORS_LOG");
  if (!log) return;
  char path[4096];
  snprintf(path, sizeof path, "%s.%d", log, getpid());
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  // A high number does not disturb tests that count descriptors.
  out = fcntl(file, F_DUPFD_CLOEXEC, 60000);
  if (out < 0) out = file;
  else real_close(file);
}

// Logs a line with the callers.
static void say(const char *format, ...) {
  static _Atomic int lines;
  if (out < 0 || atomic_fetch_add(&lines, 1) >= LINES) return;
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, 512, format, arguments);
  va_end(arguments);
  void *frames[24];
  int count = backtrace(frames, 24);
  for (int i = 2; i < count && length < 3800; i++) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname) continue;
    const char *name = strrchr(info.dli_fname, '/');
    uintptr_t base = (uintptr_t)(info.dli_saddr ? info.dli_saddr : info.dli_fbase);
    length += snprintf(text + length, sizeof text - length, " < %s %s+%lx", name ? name + 1 : info.dli_fname,
                       info.dli_sname ? info.dli_sname : "", (unsigned long)((uintptr_t)frames[i] - base));
  }
  text[length++] = '\n';
  (void)!write(out, text, length);
}

static void note(int epoll, int operation, int descriptor) {
  pthread_mutex_lock(&lock);
  if (!waits_on[epoll]) waits_on[epoll] = calloc(COUNT, 1);
  uint8_t *set = waits_on[epoll];
  uint8_t is = operation != EPOLL_CTL_DEL;
  if (set && set[descriptor] != is) {
    set[descriptor] = is;
    waiting[descriptor] += is ? 1 : -1;
  }
  pthread_mutex_unlock(&lock);
}

// Returns 1 if the current queue belongs to an event loop of this project.
static int is_ours(const char **label) {
  const char *(*name)(void *) = dlsym(RTLD_DEFAULT, "dispatch_queue_get_label");
  *label = name ? name(NULL) : NULL;
  if (!*label) *label = "no name";
  return !strncmp(*label, "mockserver", 10) || !strcmp(*label, "test");
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
  // The first descriptor that Dispatch watches is its wake-up descriptor, which it marks with 1.
  if (operation == EPOLL_CTL_ADD && event && event->data.u64 << 32 >> 32 == 1 && dispatch < 0) {
    Dl_info info;
    if (dladdr(__builtin_return_address(0), &info) && strstr(info.dli_fname, "libdispatch")) dispatch = epoll;
  }
  if (epoll == dispatch && manager && manager != (uintptr_t)pthread_self()) {
    const char *label;
    if (is_ours(&label)) {
      ours++;
      say("Dispatch's epoll was changed outside of its manager thread: %d, by %s", descriptor, label);
    } else {
      others++;
    }
  }
  int result = real_control(epoll, operation, descriptor, event);
  int error = errno;
  int is_known = epoll >= 0 && epoll < COUNT && descriptor >= 0 && descriptor < COUNT;
  if (is_known && (result == 0 || operation == EPOLL_CTL_DEL)) note(epoll, operation, descriptor);
  errno = error;
  return result;
}

int epoll_wait(int epoll, struct epoll_event *events, int capacity, int milliseconds) {
  if (epoll == dispatch && !manager) manager = (uintptr_t)pthread_self();
  int count = real_wait(epoll, events, capacity, milliseconds);
  int error = errno;
  for (int i = 0; epoll == dispatch && i < count; i++) hung_up += (events[i].events & EPOLLHUP) != 0;
  errno = error;
  return count;
}

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < COUNT) {
    if (descriptor == out) return 0;
    pthread_mutex_lock(&lock);
    uint8_t *set = waits_on[descriptor];
    if (set) {
      // Closing an epoll instance ends all of its watches.
      for (int i = 0; i < COUNT; i++) waiting[i] -= set[i];
      waits_on[descriptor] = NULL;
      free(set);
    }
    int is_early = waiting[descriptor] > 0;
    for (int i = 0; is_early && i < COUNT; i++) {
      if (waits_on[i]) waits_on[i][descriptor] = 0;
    }
    waiting[descriptor] = 0;
    pthread_mutex_unlock(&lock);
    if (is_early) {
      closed_early++;
      say("closed while epoll watches it: %d", descriptor);
    }
  }
  int result = real_close(descriptor);
  if (result < 0 && errno == EBADF && descriptor >= 0) {
    closed_twice++;
    say("closed twice: %d", descriptor);
    errno = EBADF;
  }
  return result;
}

__attribute__((destructor)) static void end(void) {
  if (out < 0) return;
  char text[512];
  int length = snprintf(text, sizeof text,
                        "sum: %ld closed while watched, %ld closed twice, %ld hang-ups on Dispatch, changes of its epoll outside of "
                        "its manager thread: %ld by the package's loops, %ld by others\n",
                        closed_early, closed_twice, hung_up, ours, others);
  (void)!write(out, text, length);
}
