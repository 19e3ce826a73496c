#include "CCassetteSystem.h"

#include <stdlib.h>

#ifdef __APPLE__
#include <os/lock.h>

void *clocks_make(void) {
  os_unfair_lock *lock = malloc(sizeof *lock);
  if (!lock) abort();
  *lock = OS_UNFAIR_LOCK_INIT;
  return lock;
}

void clocks_free(void *lock) { free(lock); }
void clocks_lock(void *lock) { os_unfair_lock_lock(lock); }
void clocks_unlock(void *lock) { os_unfair_lock_unlock(lock); }

#else
#include <pthread.h>

void *clocks_make(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (!lock || pthread_mutex_init(lock, NULL) != 0) abort();
  return lock;
}

void clocks_free(void *lock) {
  pthread_mutex_destroy(lock);
  free(lock);
}

void clocks_lock(void *lock) {
  if (pthread_mutex_lock(lock) != 0) abort();
}

void clocks_unlock(void *lock) {
  if (pthread_mutex_unlock(lock) != 0) abort();
}

#endif

int64_t ccounter_load(const int64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
void ccounter_store(int64_t *word, int64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
int64_t ccounter_add(int64_t *word, int64_t value) { return __atomic_add_fetch(word, value, __ATOMIC_ACQ_REL); }
int64_t ccounter_exchange(int64_t *word, int64_t value) { return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL); }

bool ccounter_replace(int64_t *word, int64_t expected, int64_t value) {
  return __atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

__attribute__((weak)) void cassette_register_engines(void) {}
