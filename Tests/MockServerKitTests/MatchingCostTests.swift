import CassettePatterns
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes
@testable import MockServerKit

/// The estimate of matching steps, by which a server moves requests off the event loop.
@Suite struct MatchingCostTests {
  private func steps(_ deck: Deck, _ line: String, length: Int = 0) throws -> Int {
    MatchingCost.steps(for: try Exchange.request(line), bodyLength: length, in: deck.tables(for: ""))
  }

  private func ruled(_ line: String, _ rule: BodyRule, id: String = "ruled") -> Interaction {
    var interaction = Exchange.recorded(line, id: id)
    interaction.match.body = [rule]
    return interaction
  }

  @Test func `the estimate is low for ordinary requests and high for many patterns on a long body`() throws {
    let pattern = try TextPattern(#".*"orderId"\s*:\s*"A-17".*"#)
    let patterns = (0..<200).map { ruled("POST /orders", .text(.all([.matches(pattern)])), id: "\($0)") }
    let deck = Exchange.deck(patterns + [Exchange.recorded("GET /a")])
    #expect(try steps(deck, "GET /a") < 1_000)
    #expect(try steps(deck, "POST /orders", length: 200_000) > 100_000_000)
    #expect(try steps(deck, "POST /others", length: 10) < 50_000, "patterns of other paths are not tried")
  }

  @Test func `a request that may be a miss costs steps for every recording`() throws {
    let many = Exchange.deck((0..<1_000).map { Exchange.recorded("GET /a/\($0)") })
    #expect(try steps(many, "GET /b") > 30_000 && steps(many, "GET /a/7") == 0)
    #expect(try steps(many, "GET /a/7", length: 1) > 30_000, "the body may differ from the recorded body")
  }

  @Test func `the estimate for a very long body does not overflow`() throws {
    let deck = Exchange.deck([ruled("POST /a", .text(.all([.matches(try TextPattern("[ab]{900}"))])))])
    #expect(try steps(deck, "POST /a", length: .max >> 8) > 1 << 40)
  }
}
