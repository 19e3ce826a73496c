// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A target of `Sources`, compiled as every other.
func room(_ name: String, over floors: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: floors, swiftSettings: settings)
}

/// The tests of one target.
func tests(of name: String, with more: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + more, swiftSettings: settings)
}

let package = Package(
  name: "mockserver",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "mockserver", targets: ["mockserver"]),
    .library(name: "MockServerKit", targets: ["MockServerKit"]),
    .library(name: "CassetteTesting", targets: ["CassetteTesting"]),
    .plugin(name: "cassettes", targets: ["CassettesPlugin"]),
    .library(name: "APIClient", targets: ["APIClient"]),
    .library(name: "GitHub", targets: ["GitHub"]),
    .library(name: "StarWars", targets: ["StarWars"]),
    .library(name: "Articles", targets: ["Articles"]),
  ],
  targets: [
    // Floor 0: the platform, messages, JSON as text, C modules.
    room("CassetteSystem"),
    room("HTTP", over: ["CassetteSystem", "CZlib"]),
    room("JSONText", over: ["CassetteSystem"]),
    .target(name: "CEpoll"),
    .target(name: "CNetworkGate"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Floor 1: what a secret is; what was exchanged; bytes over TCP.
    room("CassetteSecrets", over: ["CassetteSystem", "HTTP", "JSONText"]),
    room("Cassettes", over: ["CassetteSecrets", "CassetteSystem", "HTTP", "JSONText"]),
    room("Sockets", over: ["CassetteSystem", "CEpoll"]),
    // Floor 2: URLSession's types as ours and back; other tools' recordings, in and out.
    room("HTTPFoundation", over: ["HTTP"]),
    room("CassetteFormats", over: ["Cassettes", "CassetteSecrets", "CassetteSystem", "HTTP", "JSONText"]),
    // Floor 3: the two players.
    room("MockServerKit", over: ["HTTP", "Sockets", "Cassettes", "CassetteSecrets", "CassetteSystem"]),
    room(
      "CassetteSession",
      over: ["HTTP", "HTTPFoundation", "Cassettes", "CassetteSecrets", "CassetteSystem", "JSONText", "CNetworkGate"]),
    // Floor 4: the command, and what tests import.
    room("CassetteTesting", over: ["HTTP", "Cassettes", "CassetteSecrets", "CassetteSession", "MockServerKit"]),
    .executableTarget(
      name: "mockserver",
      dependencies: [
        "MockServerKit", "CassetteFormats", "Cassettes", "CassetteSecrets", "HTTP", "JSONText", "Sockets",
      ],
      swiftSettings: settings),

    // Clients to start from: typed requests, a tree of resources over them, a struct of closures, a route enum with a
    // token store.
    room("APIClient"),
    room("GitHub", over: ["APIClient"]),
    room("StarWars"),
    room("Articles"),

    // `swift package cassettes`: it asks for no permissions, so that listing and checking never prompt.
    .plugin(
      name: "CassettesPlugin",
      capability: .command(
        intent: .custom(verb: "cassettes", description: "List, check and record the cassettes of this package's tests")),
      dependencies: ["mockserver"], path: "Sources/CassettesPlugin"),

    // Measures the built command from outside; not a test.
    .executableTarget(name: "Benchmarks", path: "Tests/Benchmarks", swiftSettings: settings),
    // What an answer inside the process costs beside the least there can be.
    .executableTarget(
      name: "SessionBenchmarks", dependencies: ["CassetteSession", "Cassettes", "HTTP"],
      path: "Tests/SessionBenchmarks", swiftSettings: settings),

    // What several suites need.
    .target(
      name: "TestSupport", dependencies: ["Cassettes", "HTTP", "JSONText"], path: "Tests/TestSupport",
      swiftSettings: settings),
    // What the suites of the clients need: both players.
    .target(
      name: "ClientTestSupport", dependencies: ["CassetteTesting"], path: "Tests/ClientTestSupport",
      swiftSettings: settings),

    tests(of: "HTTP", with: ["TestSupport"]),
    tests(of: "JSONText", with: ["TestSupport"]),
    tests(of: "CassetteSecrets", with: ["CassetteSystem", "HTTP", "JSONText", "TestSupport"]),
    tests(of: "Cassettes", with: ["CassetteSecrets", "CassetteSystem", "HTTP", "JSONText", "TestSupport"]),
    tests(
      of: "CassetteFormats", with: ["MockServerKit", "Cassettes", "CassetteSecrets", "HTTP", "JSONText", "TestSupport"]),
    tests(of: "Sockets", with: ["CassetteSystem"]),
    tests(
      of: "MockServerKit",
      with: [
        "HTTP", "Sockets", "Cassettes", "CassetteSecrets", "CassetteFormats", "CZlib", "JSONText", "TestSupport",
      ]),
    tests(of: "HTTPFoundation", with: ["HTTP"]),
    tests(of: "CassetteSession", with: ["HTTP", "HTTPFoundation", "Cassettes", "CassetteSecrets", "TestSupport"]),
    .testTarget(
      name: "CassetteTestingTests",
      dependencies: [
        "CassetteTesting", "CassetteSession", "MockServerKit", "Cassettes", "CassetteSecrets", "HTTP", "TestSupport",
      ],
      exclude: ["Cassettes"], swiftSettings: settings),
    // What a newcomer copies; it uses nothing but what users have.
    .testTarget(
      name: "ExampleTests", dependencies: ["CassetteTesting"], exclude: ["Cassettes"], swiftSettings: settings),
    .testTarget(
      name: "APIClientTests",
      dependencies: ["APIClient", "CassetteTesting", "Cassettes", "ClientTestSupport", "TestSupport"],
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "GitHubTests", dependencies: ["GitHub", "APIClient", "CassetteTesting", "ClientTestSupport"],
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["CassetteSession", "MockServerKit", "Cassettes", "CassetteSecrets", "HTTP"],
      swiftSettings: settings),
    .testTarget(
      name: "StarWarsTests", dependencies: ["StarWars", "CassetteTesting", "ClientTestSupport"], exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "ArticlesTests", dependencies: ["Articles", "CassetteTesting", "ClientTestSupport"], exclude: ["Cassettes"],
      swiftSettings: settings),
    tests(of: "mockserver", with: ["MockServerKit", "Cassettes", "CassetteSecrets", "HTTP", "TestSupport"]),
  ]
)
