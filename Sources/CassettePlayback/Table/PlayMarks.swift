internal import Synchronization

/// The request that played each recording first, marked without a lock: loops share it.
final class PlayMarks: Sendable {
  private let count: Int
  // Set once in `init`, freed in `deinit`; what it points to is atomic.
  private nonisolated(unsafe) let marks: UnsafeMutablePointer<Atomic<UInt64>>

  init(count: Int) {
    self.count = count
    marks = .allocate(capacity: max(1, count))
    for index in 0..<count { (marks + index).initialize(to: Atomic(0)) }
  }

  /// Notes that a recording was played; costs a read once it has been.
  @inline(__always)
  func mark(_ index: Int, by request: UInt64) {
    precondition(index >= 0 && index < count)
    guard marks[index].load(ordering: .relaxed) == 0 else { return }
    _ = marks[index].compareExchange(expected: 0, desired: request, ordering: .relaxed)
  }

  /// The number of the request that played a recording first, or nil.
  func first(_ index: Int) -> UInt64? {
    precondition(index >= 0 && index < count)
    let request = marks[index].load(ordering: .relaxed)
    return request == 0 ? nil : request
  }

  deinit {
    marks.deinitialize(count: count)
    marks.deallocate()
  }
}
