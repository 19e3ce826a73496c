import CassetteContractTesting
import CassetteSession
import CassetteTesting
import MockServerKit
import MockServerTesting
import Testing
import UserNames

/// Compiles only if no product exports the name of a user's type, and members of the products need no other import.
@Suite("Public names")
struct PublicNamesTests {
  /// Types that conform to a protocol of the user's module.
  ///
  /// A product's type of the same name would not conform to the protocol.
  private let own: [any OwnType.Type] = [
    Cassette.self, ContractMode.self, ContractTrait.self, CORSPolicy.self, Body.self,
    Fault.self, HTTPHeaders.self, HTTPMethod.self, HTTPRequest.self, HTTPResponse.self,
    HTTPStatus.self, Interaction.self, Latency.self, Ledger.self, LogFormat.self,
    LogLevel.self, Matching.self, MatchLevel.self, MediaType.self, Mode.self,
    ModeError.self, PlayedSession.self, Redaction.self, RequestCount.self, Scenarios.self,
    SentRequest.self, SentRequests.self, ServerEvent.self, SteeredPlayer.self, Steering.self,
    Strictness.self, Stub.self, StubJSON.self, TestServer.self, WebOrigin.self,
  ]

  @Test
  func `a user's own names stay the user's beside the products`() {
    #expect(own.allSatisfy { String(reflecting: $0).hasPrefix("UserNames.") })
  }

  @Test
  func `members of the products' types need no import of another module`() {
    let faults: [CassetteFault] = [.latency(.milliseconds(1), on: "/user"), .status(503, first: 1)]
    #expect(faults.map(\.description).count == 2)
    #expect(CassetteMode.record.records)
    #expect(CassetteRedaction.standard.isOn)
    #expect(CassetteMatchingOptions.anyHost != .loose)
    let headers: CassetteSentRequest.Headers = ["Accept": "text/plain"]
    #expect(headers["accept"] == "text/plain")
    var configuration = MockServer.Configuration(cassettes: ["cassettes"], port: 0)
    configuration.contract = .fail
    configuration.matching = .loose
    configuration.logFormat = .json
    #expect(configuration.cors == MockServer.Configuration.CORSPolicy())
  }
}
