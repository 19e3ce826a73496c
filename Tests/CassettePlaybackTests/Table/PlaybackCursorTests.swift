import Testing

@testable import CassettePlayback
@testable import Cassettes

@Suite struct PlaybackCursorTests {
  private func plays(_ candidates: [Int], _ policy: RepeatPolicy, times: Int) -> [PlaybackCursor.Choice] {
    var cursor = PlaybackCursor()
    return (1...times).map { cursor.next(of: candidates, policy: policy, for: UInt64($0)) }
  }

  @Test func `the policy last repeats the last recording`() {
    #expect(plays([3, 5], .last, times: 4) == [.play(3), .play(5), .play(5), .play(5)])
  }

  @Test func `the policy first repeats the first recording`() {
    #expect(plays([3, 5], .first, times: 4) == [.play(3), .play(5), .play(3), .play(3)])
  }

  @Test func `the policy loop starts again with the first recording`() {
    #expect(plays([3, 5, 9], .loop, times: 7) == [3, 5, 9, 3, 5, 9, 3].map { .play($0) })
  }

  @Test func `the policy once plays each recording once and reports the requests that played them`() {
    #expect(plays([3, 5], .once, times: 4) == [.play(3), .play(5), .consumed([1, 2]), .consumed([1, 2])])
  }

  @Test func `a choice among no candidates is consumed by no requests`() {
    #expect(plays([], .last, times: 1) == [.consumed([])])
  }

  @Test func `a cursor forgets removed recordings and keeps the plays of the others`() {
    var cursor = PlaybackCursor()
    for request in 1...2 { _ = cursor.next(of: [0, 1, 2], policy: .once, for: UInt64(request)) }
    cursor.forget([1, 7])
    #expect(cursor.plays.keys.sorted() == [0])
    #expect(cursor.next(of: [0, 1], policy: .once, for: 3) == .play(1))
    #expect(cursor.next(of: [0, 1], policy: .once, for: 4) == .consumed([1, 3]))
  }

  @Test func `each session has its own cursor`() {
    var cursors = SessionCursors()
    let a = cursors.withCursor(of: "a") { $0.next(of: [0, 1], policy: .once, for: 1) }
    let b = cursors.withCursor(of: "b") { $0.next(of: [0, 1], policy: .once, for: 2) }
    #expect([a, b] == [.play(0), .play(0)])
    #expect(cursors.sessions == 2)
    cursors.reset("a")
    #expect(cursors.withCursor(of: "a") { $0.next(of: [0, 1], policy: .once, for: 3) } == .play(0))
    #expect(cursors.withCursor(of: "b") { $0.next(of: [0, 1], policy: .once, for: 4) } == .play(1))
  }

  @Test func `the least recently used session is removed at the capacity`() {
    var cursors = SessionCursors()
    func play(_ session: String) -> PlaybackCursor.Choice {
      cursors.withCursor(of: session) { $0.next(of: [0], policy: .once, for: 1) }
    }
    for number in 0..<SessionCursors.capacity { #expect(play("\(number)") == .play(0)) }
    #expect(play("0") == .consumed([1]))
    #expect(play("new") == .play(0))
    #expect(cursors.sessions <= SessionCursors.capacity)
    #expect(cursors.forgotten > 0)
    #expect(play("0") == .consumed([1]), "session 0 was used recently")
    #expect(play("1") == .play(0), "session 1 was removed")
  }
}
