// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A target of `Sources`, compiled as every other.
func target(_ name: String, dependsOn dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// What all targets above the model use.
let model: [Target.Dependency] = [
  "CassetteResources", "CassetteSchemas", "CassetteSecrets", "CassetteShapes", "CassettePatterns", "CassetteTemplates",
  "CassetteSystem", "CassetteHTTP", "CassetteJSON",
]

/// The targets of cassettes, from the model to what plays and records.
let cassettes: [Target.Dependency] =
  ["Cassettes", "CassetteFiles", "CassetteFileSchema", "CassetteMatching", "CassettePlayback", "CassetteRecording"]
  + model

/// The tests of one of the targets of cassettes.
func cassetteTests(of name: String) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: ["TestSupport"] + cassettes, swiftSettings: settings)
}

/// The tests of one target.
func tests(of name: String, with more: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + more, swiftSettings: settings)
}

let package = Package(
  name: "mockserver",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .executable(name: "mockserver", targets: ["mockserver"]),
    .library(name: "MockServerKit", targets: ["MockServerKit"]),
    .library(name: "CassetteTesting", targets: ["CassetteTesting"]),
    .library(name: "CassetteContractTesting", targets: ["CassetteContractTesting"]),
    .library(name: "MockServerTesting", targets: ["MockServerTesting"]),
    .library(name: "CassetteSession", targets: ["CassetteSession"]),
    .plugin(name: "cassettes", targets: ["CassettesPlugin"]),
    .library(name: "APIClientKit", targets: ["APIClientKit"]),
    .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
    .library(name: "StarWarsAPI", targets: ["StarWarsAPI"]),
    .library(name: "ArticlesAPI", targets: ["ArticlesAPI"]),
  ],
  targets: [
    // Floor 0: the platform, messages, JSON as text, patterns of text, C modules.
    .target(name: "CCassetteLocks"),
    target("CassetteSystem", dependsOn: ["CCassetteLocks"]),
    target("CassetteHTTP", dependsOn: ["CassetteSystem", "CCassetteZlib"]),
    target("CassettePatterns", dependsOn: ["CassetteSystem"]),
    target("CassetteJSON", dependsOn: ["CassettePatterns", "CassetteSystem"]),
    target("CassetteReporting", dependsOn: ["CassetteJSON"]),
    target("MockServerTools", dependsOn: ["CassetteJSON"]),
    target("MockServerConsole", dependsOn: ["CassetteSystem"]),
    target("CassetteYAML", dependsOn: ["CassetteSystem", "CassetteJSON"]),
    .target(name: "CMockServerEpoll"),
    .target(name: "CCassetteNetworkGate"),
    .target(name: "CMockServerInspector", exclude: ["Page"]),
    .systemLibrary(name: "CCassetteZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    target("CassetteSchemas", dependsOn: ["CassetteJSON", "CassettePatterns", "CassetteSystem"]),
    // Floor 1: answers that compute; secrets in texts; bytes over TCP; URLSession's types as ours and back.
    target("CassetteTemplates", dependsOn: ["CassettePatterns", "CassetteSystem", "CassetteHTTP", "CassetteJSON"]),
    target("CassetteShapes", dependsOn: ["CassetteSystem", "CassetteHTTP", "CassetteJSON"]),
    target("CassetteSecrets", dependsOn: ["CassetteShapes", "CassetteSystem", "CassetteHTTP", "CassetteJSON"]),
    target("MockServerSockets", dependsOn: ["CassetteSystem", "CMockServerEpoll"]),
    target("CassetteFoundation", dependsOn: ["CassetteHTTP"]),
    target(
      "CassetteResources",
      dependsOn: ["CassetteSchemas", "CassettePatterns", "CassetteSystem", "CassetteHTTP", "CassetteJSON"]),
    // Floor 2: the model, its file and folder; TLS.
    target(
      "Cassettes",
      dependsOn: [
        "CassetteResources", "CassetteSecrets", "CassetteSystem", "CassetteHTTP", "CassetteJSON", "CassettePatterns",
        "CassetteSchemas",
      ]),
    target("CassetteFiles", dependsOn: ["Cassettes"] + model),
    target("CassetteFileSchema"),
    target("MockServerTLS", dependsOn: ["MockServerSockets", "CassetteSystem"]),
    // Floor 3: what two requests have in common; what plays; what records.
    target("CassetteMatching", dependsOn: ["Cassettes"] + model),
    target("CassettePlayback", dependsOn: ["CassetteMatching", "CassetteFiles", "Cassettes"] + model),
    target("CassetteRecording", dependsOn: ["CassetteMatching", "CassetteFiles", "Cassettes"] + model),
    target("CassetteSimulation", dependsOn: ["CassetteRecording", "CassetteFiles", "Cassettes"] + model),
    target("CassetteEditing", dependsOn: ["CassetteRecording", "CassetteFiles", "Cassettes"] + model),
    // Floor 4: the two players; other tools' recordings, in and out.
    target(
      "MockServerEvents", dependsOn: ["MockServerSockets", "CassettePlayback", "CassetteMatching", "Cassettes"] + model),
    target("MockServerUpstream", dependsOn: ["MockServerSockets", "MockServerTLS"] + cassettes),
    target("MockServerAgents", dependsOn: ["MockServerTools", "MockServerUpstream", "Cassettes"] + model),
    target(
      "MockServerControl",
      dependsOn: ["CMockServerInspector", "CassetteEditing", "MockServerUpstream", "MockServerSockets"] + cassettes),
    target(
      "MockServerKit",
      dependsOn: [
        "MockServerControl", "MockServerEvents", "MockServerUpstream", "CassetteSpecification",
        "MockServerSockets", "MockServerTLS", "CassettePlayback", "CassetteRecording", "CassetteMatching",
        "CassetteFiles", "Cassettes",
      ] + model),
    target(
      "CassetteSession",
      dependsOn: [
        "CassetteFoundation", "CassettePlayback", "CassetteRecording", "CassetteMatching", "CassetteFiles", "Cassettes",
        "CCassetteNetworkGate",
      ] + model),
    target(
      "CassetteMerging", dependsOn: ["CassetteEditing", "CassetteRecording", "CassetteFiles", "Cassettes"] + model),
    target("CassetteFormatMembers", dependsOn: ["CassetteJSON"]),
    target(
      "CassetteContract",
      dependsOn: [
        "Cassettes", "CassetteSecrets", "CassetteYAML", "CassetteSchemas", "CassettePatterns", "CassetteHTTP",
        "CassetteReporting", "CassetteJSON", "CassetteSystem",
      ]),
    target(
      "CassetteRefresh", dependsOn: ["CassetteRecording", "CassetteMatching", "CassetteFiles", "Cassettes"] + model),
    target(
      "CassetteSpecification",
      dependsOn: [
        "CassetteContract", "Cassettes", "CassetteTemplates", "CassetteSchemas", "CassettePatterns",
        "CassetteSystem", "CassetteHTTP", "CassetteJSON",
      ]),
    target(
      "CassetteFormats",
      dependsOn: [
        "CassetteFormatMembers", "CassetteYAML", "CassetteRecording", "CassetteMatching", "CassetteFiles", "Cassettes",
      ]
        + model),
    target("MockServerOptions", dependsOn: ["MockServerConsole", "Cassettes"]),
    target(
      "CassetteListing",
      dependsOn: [
        "CassetteMerging", "CassetteRefresh", "CassetteSpecification", "CassettePlayback", "CassetteRecording",
        "CassetteFiles", "Cassettes", "CassetteSecrets", "CassetteReporting", "CassetteHTTP", "CassetteJSON",
        "MockServerOptions", "MockServerConsole",
      ]),
    // Floor 5: the commands, and what tests import.
    target(
      "CassetteTesting",
      dependsOn: [
        "CassetteSession", "CassettePlayback", "CassetteRecording", "CassetteFiles", "Cassettes",
      ] + model),
    target(
      "CassetteContractTesting",
      dependsOn: [
        "CassetteTesting", "CassetteSession", "CassetteContract", "CassetteSecrets", "Cassettes", "CassetteHTTP",
        "CassetteJSON", "CassetteSystem",
      ]),
    target(
      "MockServerTesting",
      dependsOn: ["CassetteTesting", "CassetteSession", "MockServerKit", "MockServerUpstream"] + cassettes),
    .executableTarget(
      name: "mockserver",
      dependencies: [
        "MockServerKit", "MockServerControl", "MockServerUpstream", "MockServerSockets", "MockServerTLS",
        "MockServerAgents", "MockServerTools", "MockServerOptions", "MockServerConsole", "CassetteListing",
        "CassetteContract", "CassetteSpecification", "CassetteFormats",
        "CassetteMerging", "CassetteRefresh", "CassetteReporting", "CassettePlayback", "CassetteSimulation",
        "CassetteRecording", "CassetteMatching", "CassetteFiles", "CassetteFileSchema", "Cassettes",
      ] + model,
      swiftSettings: settings),

    // `list` and `check` for the plugin: a package that asks for them builds no server.
    .executableTarget(
      name: "cassettes-tool",
      dependencies: ["CassetteListing", "MockServerOptions", "MockServerConsole", "CassetteSystem"],
      swiftSettings: settings),

    // Clients to start from: typed requests, a tree of resources over them, a struct of closures, a route enum with a
    // token store.
    target("APIClientKit"),
    target("GitHubAPI", dependsOn: ["APIClientKit"]),
    target("StarWarsAPI"),
    target("ArticlesAPI"),

    // `swift package cassettes`: it asks for no permissions, so that listing and checking never prompt.
    .plugin(
      name: "CassettesPlugin",
      capability: .command(
        intent: .custom(verb: "cassettes", description: "List, check and record the cassettes of this package's tests")),
      dependencies: ["cassettes-tool"], path: "Sources/CassettesPlugin"),

    // Measures the built command from outside; not a test.
    .executableTarget(
      name: "Benchmarks", dependencies: ["CassetteSystem"], path: "Tests/Benchmarks", swiftSettings: settings),
    // What an answer inside the process costs beside the least there can be.
    .executableTarget(
      name: "SessionBenchmarks", dependencies: ["CassetteSession", "Cassettes", "CassetteHTTP"],
      path: "Tests/SessionBenchmarks", swiftSettings: settings),

    // What several suites need.
    .target(
      name: "TestSupport", dependencies: cassettes, path: "Tests/TestSupport", swiftSettings: settings),
    // What the suites of the clients need: both players.
    .target(
      name: "ServerTestSupport", dependencies: ["MockServerSockets", "MockServerTLS", "CassetteHTTP"],
      path: "Tests/ServerTestSupport", swiftSettings: settings),
    .target(
      name: "ClientTestSupport", dependencies: ["CassetteTesting", "MockServerTesting"] + cassettes,
      path: "Tests/ClientTestSupport",
      swiftSettings: settings),

    tests(of: "CassetteSystem"),
    tests(of: "CassetteHTTP", with: ["TestSupport"]),
    tests(of: "CassetteJSON", with: ["CassettePatterns", "TestSupport"]),
    tests(of: "CassetteYAML", with: ["CassetteJSON"]),
    tests(of: "CassetteSchemas", with: ["CassetteJSON", "CassettePatterns"]),
    tests(of: "CassetteResources", with: ["CassetteHTTP", "CassetteJSON"]),
    tests(of: "CassetteTemplates", with: ["CassetteSystem", "CassetteHTTP", "CassetteJSON"]),
    tests(
      of: "CassetteSecrets", with: ["CassetteShapes", "CassetteSystem", "CassetteHTTP", "CassetteJSON", "TestSupport"]),
    tests(
      of: "CassetteEditing",
      with: [
        "CassettePlayback", "CassetteMatching", "CassetteFiles", "Cassettes", "CassetteSecrets", "CassetteHTTP",
      ]),
    tests(of: "CassettePatterns", with: ["TestSupport"]),
    cassetteTests(of: "Cassettes"),
    cassetteTests(of: "CassetteFiles"),
    cassetteTests(of: "CassetteMatching"),
    cassetteTests(of: "CassettePlayback"),
    cassetteTests(of: "CassetteRecording"),
    tests(of: "CassetteSimulation", with: ["TestSupport"] + cassettes),
    tests(
      of: "CassetteFormats",
      with: ["CassetteFormatMembers", "MockServerKit", "TestSupport", "ServerTestSupport"] + cassettes),
    tests(of: "MockServerSockets", with: ["MockServerTLS", "CassetteSystem", "ServerTestSupport"]),
    tests(
      of: "MockServerKit",
      with: [
        "MockServerControl", "MockServerEvents", "MockServerUpstream", "MockServerSockets", "MockServerTLS",
        "CassetteEditing", "CassetteFormats", "CassetteSpecification", "CCassetteZlib", "TestSupport",
        "ServerTestSupport",
      ] + cassettes),
    tests(
      of: "CassetteContract",
      with: ["CassetteFormats", "CassetteFiles", "Cassettes", "CassetteHTTP", "CassetteJSON"]),
    tests(of: "CassetteReporting", with: ["CassetteJSON"]),
    tests(of: "CassetteListing", with: ["MockServerConsole", "CassetteFiles", "Cassettes", "TestSupport"]),
    tests(of: "MockServerTools", with: ["CassetteJSON"]),
    tests(
      of: "CassetteMerging",
      with: ["CassetteFiles", "Cassettes", "CassetteHTTP", "CassetteJSON"]),
    tests(of: "CassetteRefresh", with: ["TestSupport"] + cassettes),
    tests(
      of: "CassetteSpecification",
      with: ["CassetteContract", "CassetteSchemas", "CassettePatterns", "CassetteHTTP", "CassetteJSON", "Cassettes"]),
    tests(of: "CassetteFoundation", with: ["CassetteHTTP"]),
    tests(of: "CassetteSession", with: ["CassetteFoundation", "TestSupport"] + cassettes),
    .testTarget(
      name: "CassetteTestingTests",
      dependencies: ["CassetteTesting", "MockServerTesting", "CassetteSession", "MockServerKit", "TestSupport"]
        + cassettes,
      exclude: ["Cassettes"], swiftSettings: settings),
    .testTarget(
      name: "CassetteContractTestingTests", dependencies: ["CassetteContractTesting"],
      exclude: ["Cassettes", "openapi.yaml"], swiftSettings: settings),
    // What a newcomer copies; it uses nothing but what users have.
    .testTarget(
      name: "ExampleTests", dependencies: ["CassetteTesting", "MockServerTesting"], exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "APIClientKitTests",
      dependencies: ["APIClientKit", "CassetteTesting", "MockServerTesting", "ClientTestSupport", "TestSupport"]
        + cassettes,
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "GitHubAPITests",
      dependencies: [
        "GitHubAPI", "APIClientKit", "CassetteTesting", "MockServerTesting", "ClientTestSupport", "CassetteFormats",
        "CassetteFiles", "Cassettes", "TestSupport",
      ] + model,
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["CassetteSession", "MockServerKit", "MockServerUpstream", "TestSupport"] + cassettes,
      swiftSettings: settings),
    .testTarget(
      name: "StarWarsAPITests", dependencies: ["StarWarsAPI", "CassetteTesting", "ClientTestSupport"],
      exclude: ["Cassettes"], swiftSettings: settings),
    .testTarget(
      name: "ArticlesAPITests", dependencies: ["ArticlesAPI", "CassetteTesting", "ClientTestSupport"],
      exclude: ["Cassettes"], swiftSettings: settings),
    tests(
      of: "mockserver",
      with: [
        "CassetteSession", "CassetteSimulation", "CassetteTesting", "MockServerControl", "MockServerKit",
        "MockServerUpstream", "MockServerOptions", "CassetteListing", "ServerTestSupport", "TestSupport",
      ] + cassettes),
  ]
)
