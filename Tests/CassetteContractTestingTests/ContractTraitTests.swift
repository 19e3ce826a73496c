import CassetteContractTesting
import Foundation
import Testing

@testable import CassetteTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func ask(_ path: String, _ session: URLSession = .cassette) async throws {
  let url = try #require(URL(string: "https://api.example.com\(path)"))
  _ = try await session.data(from: url)
}

private final class Found: @unchecked Sendable {
  // Sendable unchecked: guarded by the lock.
  private let lock = NSLock()
  private var issues: [Issue] = []

  func add(_ issue: Issue) { lock.withLock { issues.append(issue) } }
  var all: [Issue] { lock.withLock { issues } }
}

/// What a piece of a test reports, kept from failing this one.
private func issues(_ body: () async throws -> Void) async throws -> [Issue] {
  let found = Found()
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    found.add(issue)
    return true
  }
  return found.all
}

private func text(_ issue: Issue?) -> String { issue?.comments.first?.rawValue ?? "" }

@Suite(.contract("openapi.yaml")) struct `A suite with a contract` {
  @Test(.stub(.get("/users/kean?page=2"), .json(["id": 1, "login": "kean"])))
  func `passes what its document allows`() async throws {
    try await ask("/users/kean?page=2")
  }

  @Test(.contract("openapi.yaml", strictness: .strict), .cassette("users", .relaxed))
  func `passes a recording that its document allows`() async throws {
    try await ask("/users/kean")
  }
}

@Suite struct `An exchange that breaks its contract` {
  private func run(
    _ contract: CassetteContractTrait, _ trait: CassetteTrait, isInside: Bool = false,
    _ body: @Sendable () async throws -> Void
  ) async throws -> [Issue] {
    let test = try #require(Test.current)
    return try await issues {
      if isInside {
        try await trait.provideScope(for: test, testCase: nil) {
          try await contract.provideScope(for: test, testCase: nil, performing: body)
        }
      } else {
        try await contract.provideScope(for: test, testCase: nil) {
          try await trait.provideScope(for: test, testCase: nil, performing: body)
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func `fails at the line of the stub that the API could never answer`(isInside: Bool) async throws {
    let line = #line + 1
    let stub: CassetteTrait = .stub(.get("/users/kean"), .json(["id": "one", "login": "kean"]))
    let found = try await run(.contract("openapi.yaml"), stub, isInside: isInside) {
      try await ask("/users/kean")
      try await ask("/users/kean")
    }
    #expect(found.map { $0.sourceLocation?.line } == [line])
    #expect(text(found.first).contains("GET /users/kean is answered by the stub"))
    #expect(text(found.first).contains("openapi.yaml, GET /users/{login} (getUser), status 200"))
    #expect(text(found.first).contains("response body $.id: must be integer, is string"))
    #expect(text(found.first).contains("(#/components/schemas/User/properties/id"))
    #expect(text(found.first).contains("Change the response of the stub, or correct the document."))
  }

  @Test func `fails at the test's line for what a client sends`() async throws {
    let test = try #require(Test.current)
    let stub: CassetteTrait = .stub(.get("/users/kean?page=x"), .json(["id": 1, "login": "kean"]))
    let found = try await run(.contract("openapi.yaml"), stub) { try await ask("/users/kean?page=x") }
    #expect(found.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
    #expect(text(found.first).contains("query page: must be integer"))
  }

  @Test func `fails at the test's line for a recording, and names it`() async throws {
    let test = try #require(Test.current)
    let found = try await run(.contract("openapi.yaml"), .cassette("broken", .relaxed)) { try await ask("/users/kean") }
    #expect(found.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
    #expect(text(found.first).contains("\"get-broken\" of \"broken\""))
    #expect(text(found.first).contains("broken.json:"))
  }

  @Test func `is a stub of a path that the API does not have`() async throws {
    let line = #line + 1
    let stub: CassetteTrait = .stub(.get("/user/kean"), .json([:]))
    let found = try await run(.contract("openapi.yaml"), stub) { try await ask("/user/kean") }
    #expect(found.map { $0.sourceLocation?.line } == [line])
    #expect(text(found.first).contains("the document has no path /user/kean"))
  }

  @Test func `is not one of an API that is left out`() async throws {
    let stub: CassetteTrait = .stub(.get("/login"), .json([:]))
    let found = try await run(.contract("openapi.yaml", ignoring: ["/login"]), stub) { try await ask("/login") }
    #expect(found.isEmpty)
  }

  @Test func `is not one that a fault has made`() async throws {
    let test = try #require(Test.current)
    let found = try await issues {
      let contract: CassetteContractTrait = .contract("openapi.yaml", strictness: .strict)
      let faults: CassetteTrait = .faults(.status(503, first: 1))
      let stub: CassetteTrait = .stub(.get("/users/kean"), .json(["id": 1, "login": "kean"]))
      try await contract.provideScope(for: test, testCase: nil) {
        try await stub.provideScope(for: test, testCase: nil) {
          try await faults.provideScope(for: test, testCase: nil) { try await ask("/users/kean") }
        }
      }
    }
    #expect(found.isEmpty)
  }

  @Test(arguments: Issue.canWarn ? [CassetteStrictness.strict, .warns, .relaxed] : [.strict, .relaxed])
  func `is told as the test asks where it is only not documented`(strictness: CassetteStrictness) async throws {
    let stub: CassetteTrait = .stub(.get("/users/kean"), .status(418))
    let found = try await run(.contract("openapi.yaml", strictness: strictness), stub) { try await ask("/users/kean") }
    #expect(found.count == (strictness == .relaxed ? 0 : 1))
    #expect(found.allSatisfy { $0.failsTest == (strictness == .strict) })
    for issue in found { #expect(text(issue).contains("response status: 418 is not documented")) }
  }
}

@Suite struct `A contract that cannot be read` {
  @Test func `says where it was looked for and what to type`() async throws {
    let test = try #require(Test.current)
    let contract: CassetteContractTrait = .contract("missing.yaml")
    let found = try await issues {
      try await contract.provideScope(for: test, testCase: nil) { Issue.record("the test ran") }
    }
    #expect(found.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
    #expect(text(found.first).contains("CassetteContractTestingTests/missing.yaml"))
    #expect(text(found.first).contains(".contract(\"../missing.yaml\")"))
  }

  @Test func `says at which line it is wrong`() async throws {
    let test = try #require(Test.current)
    let contract: CassetteContractTrait = .contract("Cassettes/broken.yaml")
    let found = try await issues { try await contract.provideScope(for: test, testCase: nil) {} }
    #expect(text(found.first).contains("Cassettes/broken.yaml:3:"))
  }
}
