/// A lock and a counter of the platform's, for systems that have Swift's `Mutex` and `Atomic` only in newer versions
/// (macOS 15): `os_unfair_lock` or a POSIX mutex, and the compiler's atomics.
///
/// They are functions of C and not inlined, so that the thread sanitizer sees them.
#ifndef CCASSETTE_LOCKS_H
#define CCASSETTE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/// Makes a lock that nobody holds.
void *clocks_make(void);
/// Frees a lock that nobody holds.
void clocks_free(void *lock);
/// Waits until nobody else holds a lock, and holds it.
void clocks_lock(void *lock);
/// Gives a lock back.
void clocks_unlock(void *lock);

/// Returns a word that other threads write.
int64_t ccounter_load(const int64_t *word);
/// Writes a word that other threads read.
void ccounter_store(int64_t *word, int64_t value);
/// Adds to a word. Returns the new value.
int64_t ccounter_add(int64_t *word, int64_t value);
/// Writes a word. Returns the old value.
int64_t ccounter_exchange(int64_t *word, int64_t value);
/// Writes a word if it is `expected` still. Returns true if it was.
bool ccounter_replace(int64_t *word, int64_t expected, int64_t value);

#endif
