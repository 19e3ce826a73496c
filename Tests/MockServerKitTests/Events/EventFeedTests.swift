import CassetteHTTP
import CassettePlayback
import CassetteSystem
import Cassettes
import Foundation
import ServerTestSupport
import Testing

@testable import MockServerKit

/// Delivery of events to subscribers.
@Suite struct EventFeedTests {
  @Test func `each subscriber receives every event once, from the time it was added until it is removed`() {
    let feed = EventFeed(secrets: [:])
    let ring = feed.makeRing()
    feed.note(.handshakeRefused, "before")
    let (one, two) = (KeptEvents(), KeptEvents())
    feed.add(one)
    feed.schedule(NotedSample.note(1, in: ring))
    feed.add(two)
    feed.note(.handshakeRefused, "after", in: ring)
    feed.drain()
    feed.drain()
    #expect(one.heard == ["1 GET /a 200 ", "after"])
    #expect(two.heard == ["after"])
    feed.remove(two)
    feed.note(.recording, "later")
    feed.drain()
    #expect(one.heard.last == "later" && two.heard == ["after"])
  }

  @Test func `finish delivers all scheduled events`() {
    let feed = EventFeed(secrets: [:])
    let kept = KeptEvents()
    feed.add(kept)
    let ring = feed.makeRing()
    for number in 1...100 { feed.schedule(NotedSample.note(UInt64(number), in: ring)) }
    feed.finish()
    #expect(kept.heard.count == 100 && kept.isFinished.withLock { $0 })
  }

  @Test func `scheduled events and notes are delivered without a call of drain`() {
    let feed = EventFeed(secrets: [:])
    let kept = KeptEvents()
    feed.add(kept)
    feed.schedule(NotedSample.note(1, in: feed.makeRing()))
    #expect(eventually { kept.heard.count == 1 })
    feed.note(.recording, "again")
    #expect(eventually { kept.heard.count == 2 })
  }

  @Test func `the feed's interest is the union of its subscribers' interests`() {
    let feed = EventFeed(secrets: [:])
    #expect(feed.interest == [])
    let (answers, requests) = (KeptEvents(.answers), KeptEvents(.requests))
    feed.add(answers)
    #expect(feed.interest == .answers)
    feed.add(requests)
    #expect(feed.interest == [.answers, .requests])
    feed.remove(answers)
    #expect(feed.interest == .requests)
  }

  @Test func `a given secret is replaced by its alias in event messages, targets and sessions`() {
    let feed = EventFeed(secrets: [3: "s3cret-value"])
    let kept = KeptEvents()
    feed.add(kept)
    feed.note(.recording, "it said s3cret-value")
    NotedSample.note(1, target: "/s3cret-value", session: "s3cret-value", in: feed.makeRing())
    feed.drain()
    #expect(kept.heard.sorted() == ["1 GET /{{secret:3}} 200 ", "it said {{secret:3}}"])
  }

  @Test(arguments: [
    (MockServer.Configuration.Log.requests, ["answer", "miss", "refused", "reload"]),
    (.misses, ["miss", "approximate", "reload"]),
    (.none, ["reload"]),
  ])
  func `each log level writes its events, and always reloads`(level: MockServer.Configuration.Log, events: [String])
    throws
  {
    let written = Locked<[UInt8]>([])
    let served = try Served(
      .platform,
      [
        Served.recording("GET /a", "a"),
        #"{"id":"me","request":{"method":"GET","url":"/me","headers":[["Authorization","Bearer {{secret:1}}"]]},"#
          + #""response":{"status":200}}"#,
      ]
    ) {
      $0.log = level
      $0.logFormat = .json
      $0.logOutput = { lines in written.withLock { $0 += lines } }
      $0.loops = 1
    }
    #expect(try served.ask("GET /a").status == 200)
    #expect(try served.ask("GET /me").status == 200)
    #expect(try served.ask("GET /b").status == 404)
    let broken = try served.client()
    #expect(broken.send("no request at all\r\n\r\n"))
    #expect(try broken.answer().status == 400)
    served.server.feed.note(.reload(recordings: 1, fixtures: 0), "files changed")
    served.server.stop()
    let lines = written.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
    let names = try lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["event"] as? String ?? ""
    }
    #expect(Set(names) == Set(events), "\(lines)")
  }
}
