internal import CassetteSystem

/// Descriptors kept back, so that a file can be read while connections hold all others of the process.
///
/// A path is walked folder by folder: at most two are open at a time, and a third is kept for a listing.
package enum DescriptorReserve {
  private static let size = 3
  private static let state = Locked<(isWanted: Bool, spare: [Int32])>((false, []))

  /// Begins to keep descriptors back, for the rest of the process.
  package static func establish() {
    state.withLock { state in
      state.isWanted = true
      fill(&state.spare)
    }
  }

  /// Opens something, with a descriptor of the reserve when `open` gives none and `errno` says that there is no other.
  static func opening(_ open: () -> Int32) -> Int32 {
    let descriptor = open()
    if descriptor >= 0 || errno != EMFILE { return descriptor }
    return state.withLock { state in
      // What was given back since then is the reserve's again.
      if state.isWanted { fill(&state.spare) }
      while let spare = state.spare.popLast() {
        close(spare)
        let descriptor = open()
        if descriptor >= 0 || errno != EMFILE { return descriptor }
      }
      errno = EMFILE
      return -1
    }
  }

  /// Does something that opens a descriptor and closes it again, once more with the reserve when it fails.
  static func lending<Result>(_ act: () -> Result?) -> Result? {
    if let result = act() { return result }
    return state.withLock { state in
      guard let spare = state.spare.popLast() else { return nil }
      close(spare)
      defer { fill(&state.spare) }
      return act()
    }
  }

  /// Takes descriptors back that were lent, as far as there are any.
  static func refill() {
    state.withLock { state in
      if state.isWanted, state.spare.count < size { fill(&state.spare) }
    }
  }

  private static func fill(_ spare: inout [Int32]) {
    while spare.count < size {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      spare.append(descriptor)
    }
  }
}
