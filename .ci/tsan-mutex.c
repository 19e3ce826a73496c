// Tells the thread sanitizer of Swift's Mutex, loaded before it (LD_PRELOAD, see .ci/tsan).
//
// Mutex takes a lock that is free with an atomic that is compiled into its user, which the sanitizer sees. One that is
// taken it waits for in libswiftSynchronization.so, which is not instrumented: every contended lock is then a false race,
// as eight threads that add to one Mutex<[Int]> show without anything of ours. These two take the place of the library's,
// call them, and say what they order. Nothing is suppressed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Not there in processes that the sanitizer does not watch.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF handle) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF handle) __asm__(UNLOCK_SLOW);

// The handle is the atomic word, the same address that the instrumented half uses.
SWIFT void lock_slow(uint32_t thread, SELF handle) {
  SWIFT void (*real)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK_SLOW);
  real(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF handle) {
  SWIFT void (*real)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(handle);
  real(handle);
}
