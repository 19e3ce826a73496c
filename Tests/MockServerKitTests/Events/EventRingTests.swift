import CassetteHTTP
import CassettePlayback
import Cassettes
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// The events that one event loop stores until they are taken.
@Suite struct EventRingTests {
  private func described(_ batches: EventRing.Batch...) -> [String] {
    var lines: [String] = []
    for item in NotedEvents(batches: batches, mask: EventMask()) {
      switch item {
      case .answer(let noted): lines.append(noted.answer.description)
      case .event(let event): lines.append(event.description)
      }
    }
    return lines
  }

  @Test func `answers and events are taken in the order in which they were noted`() throws {
    let ring = EventRing()
    ring.begin(try NotedSample.table)
    NotedSample.note(1, in: ring)
    _ = ring.note(MockServer.Event(.handshakeRefused, at: 0, "a client left"), at: 0)
    NotedSample.note(2, target: "/a?x=1", .miss, in: ring)
    #expect(
      described(ring.take(leaving: EventRing.Batch())) == [
        "1 GET /a 200 test/a", "a client left", "2 GET /a?x=1 200 miss",
      ])
    #expect(described(ring.take(leaving: EventRing.Batch())) == [])
  }

  @Test func `taking a batch empties the ring, and later notes keep their recordings`() throws {
    let ring = EventRing()
    ring.begin(try NotedSample.table)
    NotedSample.note(1, in: ring)
    var batch = ring.take(leaving: EventRing.Batch())
    batch.removeAll()
    NotedSample.note(2, in: ring)
    #expect(described(ring.take(leaving: batch)) == ["2 GET /a 200 test/a"])
    NotedSample.note(3, in: ring)
    #expect(described(ring.take(leaving: EventRing.Batch())) == ["3 GET /a 200 test/a"])
  }

  @Test func `a note belongs to the recordings that were set before it`() throws {
    let ring = EventRing()
    ring.begin(try NotedSample.table)
    NotedSample.note(1, in: ring)
    ring.begin(RecordingTable(CassetteLibrary(cassettes: [], fixtures: [])))
    NotedSample.note(2, in: ring)
    #expect(described(ring.take(leaving: EventRing.Batch())) == ["1 GET /a 200 test/a", "2 GET /a 200 "])
  }

  @Test func `events beyond the capacity are counted and reported at the end of the batch`() throws {
    let ring = EventRing()
    for number in 1...UInt64(EventRing.capacity + 5) { NotedSample.note(number, in: ring) }
    let batch = ring.take(leaving: EventRing.Batch())
    #expect(batch.notes.count == EventRing.capacity && batch.lost == 5)
    let lines = described(batch)
    #expect(lines.first == "1 GET /a 200 ")
    #expect(lines.last == "5 events were dropped because they were not read fast enough")
    NotedSample.note(9, in: ring)
    #expect(ring.take(leaving: EventRing.Batch()).lost == 0)
  }

  @Test func `long requests use up the ring's bytes, and an empty ring stores a request of any size`() throws {
    let ring = EventRing()
    let long = HTTPRequest(
      method: .post, target: try #require(HTTPTarget("/a")), body: Array(repeating: 0, count: EventRing.bytes + 1))
    let event = MockServer.Event(.request(long), at: 0)
    _ = ring.note(event, at: 0)
    _ = ring.note(event, at: 0)
    let batch = ring.take(leaving: EventRing.Batch())
    #expect(batch.notes.count == 1 && batch.lost == 1)
  }

  @Test func `the first note wakes the reader soon, and the note that leaves little room wakes it now`() {
    let ring = EventRing()
    let urgencies = (0..<EventRing.capacity).map { NotedSample.note(UInt64($0), in: ring) }
    #expect(urgencies.first == .soon)
    #expect(urgencies.indices.filter { urgencies[$0] == .now } == [EventRing.capacity / 4 - 1])
    #expect(urgencies.count { $0 == .none } == EventRing.capacity - 2)
  }

  @Test func `events of several rings are merged by time, and each ring keeps its order`() {
    let (one, two) = (EventRing(), EventRing())
    NotedSample.note(1, at: 10, in: one)
    NotedSample.note(4, at: 30, in: one)
    NotedSample.note(5, at: 25, in: one)
    NotedSample.note(2, at: 20, in: two)
    NotedSample.note(3, at: 20, in: two)
    let lines = described(one.take(leaving: EventRing.Batch()), two.take(leaving: EventRing.Batch()))
    #expect(lines.map { $0.prefix(1) } == ["1", "2", "3", "4", "5"])
  }
}
