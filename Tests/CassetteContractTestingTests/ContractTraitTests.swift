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

/// Returns the issues that a closure records, without failing the current test.
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

@Suite(.contract("openapi.yaml")) struct `Contract trait of a suite` {
  @Test(.stub(.get("/users/kean?page=2"), .json(["id": 1, "login": "kean"])))
  func `an exchange that the OpenAPI document allows passes`() async throws {
    try await ask("/users/kean?page=2")
  }

  @Test(.contract("openapi.yaml", strictness: .strict), .cassette("users", .relaxed))
  func `a recording that the OpenAPI document allows passes a strict contract`() async throws {
    try await ask("/users/kean")
  }
}

@Suite struct `Contract breach` {
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
  func `a stubbed response of a wrong type fails once, at the line of the stub`(isInside: Bool) async throws {
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

  @Test func `a request that breaks the contract fails at the test's line`() async throws {
    let test = try #require(Test.current)
    let stub: CassetteTrait = .stub(.get("/users/kean?page=x"), .json(["id": 1, "login": "kean"]))
    let found = try await run(.contract("openapi.yaml"), stub) { try await ask("/users/kean?page=x") }
    #expect(found.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
    #expect(text(found.first).contains("query page: must be integer"))
  }

  @Test func `a recording that breaks the contract fails at the test's line and is named with its file`() async throws {
    let test = try #require(Test.current)
    let found = try await run(.contract("openapi.yaml"), .cassette("broken", .relaxed)) { try await ask("/users/kean") }
    #expect(found.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
    #expect(text(found.first).contains("\"get-broken\" of \"broken\""))
    #expect(text(found.first).contains("broken.json:"))
  }

  @Test func `a stub for a path missing from the document fails at the stub's line`() async throws {
    let line = #line + 1
    let stub: CassetteTrait = .stub(.get("/user/kean"), .json([:]))
    let found = try await run(.contract("openapi.yaml"), stub) { try await ask("/user/kean") }
    #expect(found.map { $0.sourceLocation?.line } == [line])
    #expect(text(found.first).contains("the document has no path /user/kean"))
  }

  @Test func `an exchange with an ignored path is not checked`() async throws {
    let stub: CassetteTrait = .stub(.get("/login"), .json([:]))
    let found = try await run(.contract("openapi.yaml", ignoring: ["/login"]), stub) { try await ask("/login") }
    #expect(found.isEmpty)
  }

  @Test func `a response produced by a fault is not checked`() async throws {
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
  func `an undocumented status fails, warns or passes according to the strictness`(strictness: CassetteStrictness)
    async throws
  {
    let stub: CassetteTrait = .stub(.get("/users/kean"), .status(418))
    let found = try await run(.contract("openapi.yaml", strictness: strictness), stub) { try await ask("/users/kean") }
    #expect(found.count == (strictness == .relaxed ? 0 : 1))
    #expect(found.allSatisfy { $0.failsTest == (strictness == .strict) })
    for issue in found { #expect(text(issue).contains("response status: 418 is not documented")) }
  }
}

@Suite struct `Unreadable contract` {
  @Test func `a missing contract file fails with the path searched and the argument to type`() async throws {
    let test = try #require(Test.current)
    let contract: CassetteContractTrait = .contract("missing.yaml")
    let found = try await issues {
      try await contract.provideScope(for: test, testCase: nil) { Issue.record("the test ran") }
    }
    #expect(found.map { $0.sourceLocation?.line } == [test.sourceLocation.line])
    #expect(text(found.first).contains("CassetteContractTestingTests/missing.yaml"))
    #expect(text(found.first).contains(".contract(\"../missing.yaml\")"))
  }

  @Test func `a malformed contract file fails with its line`() async throws {
    let test = try #require(Test.current)
    let contract: CassetteContractTrait = .contract("Cassettes/broken.yaml")
    let found = try await issues { try await contract.provideScope(for: test, testCase: nil) {} }
    #expect(text(found.first).contains("Cassettes/broken.yaml:3:"))
  }
}
