/// Functions in C that Swift cannot express on all supported systems.
#ifndef CCASSETTE_SYSTEM_H
#define CCASSETTE_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

// A lock and a counter for systems whose Swift library has no `Mutex` and `Atomic` (before macOS 15): `os_unfair_lock` or
// a POSIX mutex, and the compiler's atomics. They are not inlined, so that the thread sanitizer sees them.

/// Creates an unlocked lock.
void *clocks_make(void);
/// Frees an unlocked lock.
void clocks_free(void *lock);
/// Acquires a lock, and waits until other threads have released it.
void clocks_lock(void *lock);
/// Releases a lock.
void clocks_unlock(void *lock);

/// Returns a word that other threads may write.
int64_t ccounter_load(const int64_t *word);
/// Writes a word that other threads may read.
void ccounter_store(int64_t *word, int64_t value);
/// Adds a value to a word and returns the sum.
int64_t ccounter_add(int64_t *word, int64_t value);
/// Writes a word and returns its previous value.
int64_t ccounter_exchange(int64_t *word, int64_t value);
/// Writes a word if it equals `expected`, and returns whether it did.
bool ccounter_replace(int64_t *word, int64_t expected, int64_t value);

/// Registers the linked engines. This definition is weak and does nothing; `CassetteEngines` replaces it if it is linked.
void cassette_register_engines(void);

#endif
