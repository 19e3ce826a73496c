import Testing

@testable import CassettePlayback
@testable import Cassettes

@Suite struct TapeTests {
  private func plays(_ candidates: [Int], _ policy: RepeatPolicy, times: Int) -> [PlaybackCursor.Choice] {
    var tape = PlaybackCursor()
    return (1...times).map { tape.next(of: candidates, policy: policy, for: UInt64($0)) }
  }

  @Test func `the last one repeats`() {
    #expect(plays([3, 5], .last, times: 4) == [.play(3), .play(5), .play(5), .play(5)])
  }

  @Test func `the first one repeats`() {
    #expect(plays([3, 5], .first, times: 4) == [.play(3), .play(5), .play(3), .play(3)])
  }

  @Test func `they begin again`() {
    #expect(plays([3, 5, 9], .loop, times: 7) == [3, 5, 9, 3, 5, 9, 3].map { .play($0) })
  }

  @Test func `each plays once, and the tape knows for whom`() {
    #expect(plays([3, 5], .once, times: 4) == [.play(3), .play(5), .consumed([1, 2]), .consumed([1, 2])])
  }

  @Test func `nothing to choose from is nothing`() {
    #expect(plays([], .last, times: 1) == [.consumed([])])
  }

  @Test func `recordings that get other numbers keep their positions, the gone are forgotten`() {
    var tape = PlaybackCursor()
    for request in 1...2 { _ = tape.next(of: [0, 1, 2], policy: .once, for: UInt64(request)) }
    var renumbered = tape.renumbered { [0: 10, 2: 12][$0] }
    #expect(renumbered.plays.keys.sorted() == [10])
    #expect(renumbered.next(of: [10, 12], policy: .once, for: 3) == .play(12))
    #expect(renumbered.next(of: [10, 12], policy: .once, for: 4) == .consumed([1, 3]))
  }

  @Test func `each session has its own tape`() {
    var rack = SessionCursors()
    let a = rack.withTape(of: "a") { $0.next(of: [0, 1], policy: .once, for: 1) }
    let b = rack.withTape(of: "b") { $0.next(of: [0, 1], policy: .once, for: 2) }
    #expect([a, b] == [.play(0), .play(0)])
    #expect(rack.sessions == 2)
    rack.reset("a")
    #expect(rack.withTape(of: "a") { $0.next(of: [0, 1], policy: .once, for: 3) } == .play(0))
    #expect(rack.withTape(of: "b") { $0.next(of: [0, 1], policy: .once, for: 4) } == .play(1))
  }

  @Test func `of too many sessions the one not used for longest leaves`() {
    var rack = SessionCursors()
    func play(_ session: String) -> PlaybackCursor.Choice {
      rack.withTape(of: session) { $0.next(of: [0], policy: .once, for: 1) }
    }
    for number in 0..<SessionCursors.capacity { #expect(play("\(number)") == .play(0)) }
    #expect(play("0") == .consumed([1]))
    #expect(play("new") == .play(0))
    #expect(rack.sessions <= SessionCursors.capacity)
    #expect(rack.forgotten > 0)
    #expect(play("0") == .consumed([1]), "used lately")
    #expect(play("1") == .play(0), "forgotten")
  }
}
