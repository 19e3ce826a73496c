internal import CassetteSystem

/// The request that first played each recording, stored without a lock because event loops share it.
final class PlayMarks: Sendable {
  private let marks: Counters

  init(count: Int) { marks = Counters(count: count) }

  /// Marks a recording as played; later calls for the same recording only read the mark.
  @inline(__always)
  func mark(_ index: Int, by request: UInt64) {
    guard marks.value(index) == 0 else { return }
    marks.replace(0, with: Int(request), at: index)
  }

  /// Returns the number of the request that first played a recording, or nil.
  func first(_ index: Int) -> UInt64? {
    let request = marks.value(index)
    return request == 0 ? nil : UInt64(request)
  }
}
