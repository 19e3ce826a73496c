internal import CassetteSystem

/// Reserved file descriptors, so that files can be read while connections use all other descriptors of the process.
///
/// Reading a path opens its folders one after the other: at most two are open at a time, and a third descriptor is for
/// a listing.
package enum DescriptorReserve {
  private static let size = 3
  private static let state = Locked<(isWanted: Bool, spare: [Int32])>((false, []))

  /// Reserves the descriptors for the rest of the process.
  package static func establish() {
    state.withLock { state in
      state.isWanted = true
      fill(&state.spare)
    }
  }

  /// Opens a file, and retries with reserved descriptors if `open` fails because the process has no descriptors left.
  static func opening(_ open: () -> Int32) -> Int32 {
    let descriptor = open()
    if descriptor >= 0 || errno != EMFILE { return descriptor }
    return state.withLock { state in
      // Descriptors that were closed since then refill the reserve first.
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

  /// Performs an action that opens a descriptor and closes it again; retries with a reserved descriptor if the action
  /// fails.
  static func lending<Result>(_ act: () -> Result?) -> Result? {
    if let result = act() { return result }
    return state.withLock { state in
      guard let spare = state.spare.popLast() else { return nil }
      close(spare)
      defer { fill(&state.spare) }
      return act()
    }
  }

  /// Refills the reserve, as far as the process has descriptors.
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
