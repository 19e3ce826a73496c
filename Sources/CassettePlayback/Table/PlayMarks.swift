internal import CassetteSystem

/// The request that played each recording first, marked without a lock: loops share it.
final class PlayMarks: Sendable {
  private let marks: Counters

  init(count: Int) { marks = Counters(count: count) }

  /// Notes that a recording was played; costs a read once it has been.
  @inline(__always)
  func mark(_ index: Int, by request: UInt64) {
    guard marks.value(index) == 0 else { return }
    marks.replace(0, with: Int(request), at: index)
  }

  /// The number of the request that played a recording first, or nil.
  func first(_ index: Int) -> UInt64? {
    let request = marks.value(index)
    return request == 0 ? nil : UInt64(request)
  }
}
