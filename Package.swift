// swift-tools-version: 6.2
import PackageDescription

// Only `.ci/run` asks for this: a package that depends on this one must build in spite of the warnings of its compiler,
// and a build system that silences the warnings of dependencies refuses the option.
let strict: [SwiftSetting] =
  Context.environment["MOCKSERVER_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []

// Apple's SDKs have zlib: asked for it there, pkg-config warns, or finds another one.
#if os(Linux)
  let zlib: String? = "zlib"
#else
  let zlib: String? = nil
#endif

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + strict

/// A target of `Sources`, compiled as every other.
func target(_ name: String, dependsOn dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The targets that nearly all above the first floor use.
let basics: [Target.Dependency] = ["CassetteJSON", "CassetteHTTP", "CassetteSystem"]

/// The basics, and exchanges without their secrets.
let model: [Target.Dependency] = ["Cassettes", "CassetteSecrets"] + basics

/// The tests of one target.
func tests(of name: String, with more: [Target.Dependency] = []) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + more, swiftSettings: settings)
}

let package = Package(
  name: "mockserver",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
  products: [
    .executable(name: "mockserver", targets: ["mockserver"]),
    .library(name: "MockServerKit", targets: ["MockServerKit"]),
    .library(name: "CassetteTesting", targets: ["CassetteTesting"]),
    .library(name: "CassetteEngines", targets: ["CassetteEngines"]),
    .library(name: "CassetteContractTesting", targets: ["CassetteContractTesting"]),
    .library(name: "MockServerTesting", targets: ["MockServerTesting"]),
    .library(name: "CassetteSession", targets: ["CassetteSession"]),
    .plugin(name: "cassettes", targets: ["CassettesPlugin"]),
    // The plugin builds it, so that it shares what the tests have compiled.
    .executable(name: "cassettes-tool", targets: ["cassettes-tool"]),
    .library(name: "APIClientKit", targets: ["APIClientKit"]),
    .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
    .library(name: "StarWarsAPI", targets: ["StarWarsAPI"]),
    .library(name: "ArticlesAPI", targets: ["ArticlesAPI"]),
  ],
  targets: [
    // Floor 0: the platform, messages, JSON as text, YAML, schemas, patterns of text, reports, the terminal, C modules.
    .target(name: "CCassetteLocks"),
    .target(
      name: "CassetteSystem", dependencies: ["CCassetteLocks"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
    target("CassetteHTTP", dependsOn: ["CCassetteZlib", "CassetteSystem"]),
    target("CassettePatterns", dependsOn: ["CassetteSystem"]),
    target("CassetteJSON", dependsOn: ["CassettePatterns", "CassetteSystem"]),
    target("CassetteReporting", dependsOn: ["CassetteJSON", "CassetteSystem"]),
    target("MockServerTools", dependsOn: ["CassetteJSON"]),
    target("MockServerConsole", dependsOn: ["CassetteSystem"]),
    target("CassetteYAML", dependsOn: ["CassetteJSON", "CassetteSystem"]),
    .target(name: "CMockServerEpoll"),
    .target(name: "CCassetteNetworkGate"),
    .target(name: "CMockServerInspector", exclude: ["Page"]),
    .systemLibrary(name: "CCassetteZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"])]),
    // Floor 1: answers that compute; secrets in texts and their shapes; resources; bytes over TCP; URLSession's types.
    target("CassetteShapes", dependsOn: basics),
    target("CassetteSecrets", dependsOn: ["CassetteShapes"] + basics),
    target("MockServerSockets", dependsOn: ["CMockServerEpoll", "CassetteSystem"]),
    target("CassetteFoundation", dependsOn: ["CassetteHTTP"]),
    // Floor 2: the model, its file and folder; TLS.
    .target(name: "CCassetteEngines"),
    target("Cassettes", dependsOn: ["CCassetteEngines", "CassetteSecrets", "CassettePatterns"] + basics),
    target("CassetteFiles", dependsOn: ["CassettePatterns"] + model),
    target("CassetteFileSchema"),
    target("MockServerTLS", dependsOn: ["MockServerSockets", "CassetteSystem"]),
    // Floor 3: what two requests have in common; what plays; what records, edits and simulates.
    target("CassetteMatching", dependsOn: ["CassetteShapes", "CassettePatterns"] + model),
    target(
      "CassettePlayback",
      dependsOn: [
        "CassetteMatching", "CassetteFiles", "CassettePatterns",
      ] + model),
    target(
      "CassetteRecording",
      dependsOn: ["CassetteMatching", "CassetteFiles", "CassetteShapes", "CassettePatterns"] + model),
    // The engines, which compute answers and conditions; the core works without them.
    target("CassetteSchemas", dependsOn: ["Cassettes", "CassetteJSON", "CassettePatterns", "CassetteSystem"]),
    target("CassetteTemplates", dependsOn: ["Cassettes", "CassettePatterns"] + basics),
    target("CassetteResources", dependsOn: ["Cassettes", "CassetteSchemas", "CassettePatterns"] + basics),
    target(
      "CassetteEngines",
      dependsOn: [
        "CassetteTemplates", "CassetteResources", "CassetteSchemas", "Cassettes", "CassettePatterns", "CassetteJSON",
        "CassetteHTTP",
      ]),
    target(
      "CassetteSimulation",
      dependsOn: [
        "CassetteRecording", "CassetteFiles", "Cassettes", "CassetteResources", "CassetteSecrets", "CassetteJSON",
        "CassetteHTTP",
      ]),
    target("CassetteEditing", dependsOn: ["CassetteRecording", "CassetteFiles", "Cassettes"] + basics),
    // Floor 4: the two players; other tools' recordings; OpenAPI documents; cassettes compared, merged and asked for again.
    target("MockServerEvents", dependsOn: ["CassettePlayback", "CassetteMatching", "MockServerSockets"] + model),
    target(
      "MockServerUpstream",
      dependsOn: [
        "CassetteRecording", "MockServerTLS", "Cassettes", "MockServerSockets", "CassetteSecrets",
        "CassetteHTTP", "CassetteSystem",
      ]),
    target(
      "MockServerAgents",
      dependsOn: [
        "MockServerUpstream", "Cassettes", "CassetteSecrets", "MockServerTools", "CassetteJSON", "CassetteHTTP",
      ]),
    target(
      "MockServerControl",
      dependsOn: [
        "MockServerUpstream", "CassetteEditing", "CassetteRecording", "CassettePlayback", "CassetteMatching",
        "CassetteFiles", "MockServerSockets", "CMockServerInspector",
      ] + model),
    target(
      "MockServerKit",
      dependsOn: [
        "CassetteEngines",
        "CassetteSpecification", "MockServerControl", "MockServerUpstream", "MockServerEvents", "CassetteRecording",
        "CassettePlayback", "CassetteMatching", "MockServerTLS", "CassetteFiles", "Cassettes", "MockServerSockets",
        "CassetteSecrets", "CassetteHTTP", "CassetteSystem",
      ]),
    target(
      "CassetteSession",
      dependsOn: [
        "CassetteRecording", "CassettePlayback", "CassetteMatching", "CassetteFiles", "CassetteFoundation",
        "CCassetteNetworkGate", "CassettePatterns",
      ] + model),
    target(
      "CassetteMerging",
      dependsOn: [
        "CassetteEditing", "CassetteRecording", "CassetteFiles", "Cassettes", "CassetteSecrets", "CassetteJSON",
        "CassetteHTTP", "CassetteSystem",
      ]),
    target("CassetteFormatMembers", dependsOn: ["CassetteJSON"]),
    target(
      "CassetteContract",
      dependsOn: ["CassetteSchemas", "CassetteYAML", "CassetteReporting", "CassettePatterns"] + model),
    target(
      "CassetteRefresh",
      dependsOn: ["CassetteShapes", "CassetteRecording", "CassetteMatching", "CassetteFiles"] + model),
    target(
      "CassetteSpecification",
      dependsOn: [
        "CassetteContract", "Cassettes", "CassetteTemplates", "CassetteSchemas", "CassettePatterns",
      ] + basics),
    target(
      "CassetteFormats",
      dependsOn: [
        "CassetteFormatMembers", "CassetteRecording", "CassetteMatching", "CassetteFiles", "CassetteTemplates",
        "CassetteSchemas", "CassetteYAML", "CassettePatterns",
      ] + model),
    target("MockServerOptions", dependsOn: ["Cassettes", "MockServerConsole"]),
    target(
      "CassetteListing",
      dependsOn: [
        "MockServerOptions", "CassetteRefresh", "CassetteMerging", "CassetteRecording",
        "CassettePlayback", "CassetteFiles", "Cassettes", "CassetteSecrets", "MockServerConsole", "CassetteReporting",
        "CassetteJSON", "CassetteHTTP",
      ]),
    // Floor 5: the commands, and what tests import.
    target(
      "CassetteTesting",
      dependsOn: ["CassetteSession", "CassetteRecording", "CassettePlayback", "CassetteFiles"] + model),
    target(
      "CassetteContractTesting",
      dependsOn: [
        "CassetteTesting", "CassetteContract", "CassetteSession", "Cassettes", "CassetteSecrets", "CassetteHTTP",
        "CassetteSystem",
      ]),
    target(
      "MockServerTesting",
      dependsOn: [
        "CassetteTesting", "CassetteSession", "MockServerKit", "MockServerUpstream", "CassettePlayback", "Cassettes",
        "CassetteSecrets", "CassetteHTTP", "CassetteSystem",
      ]),
    .executableTarget(
      name: "mockserver",
      dependencies: [
        "CassetteListing", "MockServerOptions", "CassetteFormats", "CassetteSpecification", "CassetteRefresh",
        "CassetteContract", "CassetteMerging", "MockServerKit", "MockServerControl", "MockServerAgents",
        "MockServerUpstream", "CassetteSimulation", "CassetteRecording", "CassettePlayback", "CassetteMatching",
        "MockServerTLS", "CassetteFileSchema", "CassetteFiles", "MockServerSockets", "MockServerConsole",
        "MockServerTools", "CassetteReporting",
      ] + model,
      swiftSettings: settings),

    // `list` and `check` for the plugin: a package that asks for them builds no server.
    .executableTarget(
      name: "cassettes-tool",
      dependencies: [
        "CassetteEngines", "CassetteListing", "MockServerOptions", "MockServerConsole", "CassetteSystem",
      ],
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
      path: "Sources/CassettesPlugin"),

    // Measures the built command from outside; not a test.
    .executableTarget(
      name: "Benchmarks", dependencies: ["CassetteSystem"], path: "Tests/Benchmarks", swiftSettings: settings),
    // What an answer inside the process costs beside the least there can be.
    .executableTarget(
      name: "SessionBenchmarks", dependencies: ["CassetteSession", "Cassettes", "CassetteHTTP"],
      path: "Tests/SessionBenchmarks", swiftSettings: settings),
    // Measures the taking of secrets out of an exchange.
    .executableTarget(
      name: "SecretBenchmarks", dependencies: ["CassetteRecording", "CassetteSecrets", "Cassettes", "CassetteHTTP"],
      path: "Tests/SecretBenchmarks", swiftSettings: settings),

    // What several suites need.
    .target(
      name: "TestSupport",
      dependencies: [
        "CassettePlayback", "CassetteFiles", "Cassettes", "CassetteSchemas", "CassettePatterns",
      ] + basics, path: "Tests/TestSupport", swiftSettings: settings),
    // What the suites of the clients need: both players.
    .target(
      name: "ServerTestSupport", dependencies: ["MockServerTLS", "MockServerSockets", "CassetteHTTP"],
      path: "Tests/ServerTestSupport", swiftSettings: settings),
    .target(
      name: "ClientTestSupport", dependencies: ["MockServerTesting", "CassetteTesting"],
      path: "Tests/ClientTestSupport",
      swiftSettings: settings),

    tests(of: "CassetteSystem"),
    tests(of: "CassetteHTTP", with: ["TestSupport", "CassetteSystem"]),
    tests(of: "CassetteJSON", with: ["TestSupport", "CassettePatterns", "CassetteSystem"]),
    tests(of: "CassetteYAML", with: ["CassetteJSON", "CassetteSystem"]),
    tests(of: "CassetteSchemas", with: ["CassetteJSON", "CassettePatterns"]),
    tests(of: "CassetteResources", with: ["CassetteJSON", "CassetteHTTP"]),
    tests(of: "CassetteTemplates", with: ["Cassettes"] + basics),
    tests(of: "CassetteSecrets", with: ["TestSupport", "CassetteShapes"] + basics),
    tests(
      of: "CassetteEditing",
      with: ["CassettePlayback", "CassetteMatching", "CassetteFiles", "Cassettes", "CassetteSecrets", "CassetteHTTP"]),
    tests(of: "CassettePatterns", with: ["TestSupport"]),
    tests(of: "Cassettes", with: ["TestSupport", "CassetteJSON", "CassetteHTTP", "CassetteSystem"]),
    tests(
      of: "CassetteFiles",
      with: [
        "TestSupport", "CassetteRecording", "CassettePlayback", "CassetteFileSchema", "CassetteSchemas",
        "CassettePatterns",
      ] + model),
    tests(
      of: "CassetteMatching",
      with: [
        "TestSupport", "CassetteRecording", "CassettePlayback", "Cassettes", "CassetteSecrets", "CassetteJSON",
        "CassettePatterns", "CassetteHTTP",
      ]),
    tests(
      of: "CassettePlayback",
      with: [
        "TestSupport", "CassetteMatching", "CassetteFileSchema", "CassetteFiles", "Cassettes", "CassettePatterns",
      ] + basics),
    tests(
      of: "CassetteRecording",
      with: ["TestSupport", "CassetteMatching", "CassetteFiles", "CassetteShapes"] + model),
    tests(
      of: "CassetteSimulation",
      with: [
        "TestSupport", "CassettePlayback", "CassetteFiles", "Cassettes", "CassetteResources", "CassetteSecrets",
        "CassetteHTTP",
      ]),
    tests(
      of: "CassetteFormats",
      with: [
        "ServerTestSupport", "TestSupport", "CassetteFormatMembers", "MockServerKit", "CassettePlayback",
        "CassetteFiles",
      ] + model),
    tests(of: "MockServerSockets", with: ["ServerTestSupport", "MockServerTLS", "CassetteSystem"]),
    tests(
      of: "MockServerKit",
      with: [
        "ServerTestSupport", "TestSupport", "CassetteFormats", "CassetteSpecification", "MockServerControl",
        "MockServerUpstream", "MockServerEvents", "CassetteRecording", "CassettePlayback", "MockServerTLS",
        "CassetteFiles", "MockServerSockets", "CCassetteZlib", "CassetteContract",
      ] + model),
    tests(
      of: "CassetteContract",
      with: ["CassetteFormats", "CassetteFiles", "Cassettes", "CassetteJSON", "CassetteHTTP"]),
    tests(of: "CassetteReporting", with: ["CassetteJSON"]),
    tests(of: "CassetteListing", with: ["TestSupport", "CassetteFiles", "Cassettes", "MockServerConsole"]),
    tests(of: "MockServerTools", with: ["CassetteJSON"]),
    tests(of: "CassetteMerging", with: ["CassetteFiles", "Cassettes"]),
    tests(
      of: "CassetteRefresh",
      with: [
        "TestSupport", "CassetteRecording", "CassetteMatching", "CassetteFiles", "Cassettes", "CassetteSecrets",
        "CassetteHTTP",
      ]),
    tests(
      of: "CassetteSpecification",
      with: ["CassetteContract", "Cassettes", "CassetteSchemas", "CassetteJSON", "CassettePatterns", "CassetteHTTP"]),
    tests(of: "CassetteFoundation", with: ["CassetteHTTP"]),
    tests(
      of: "CassetteSession",
      with: [
        "TestSupport", "CassetteRecording", "CassettePlayback", "CassetteFiles", "Cassettes", "CassetteSecrets",
        "CassetteHTTP", "CassetteSystem",
      ]),
    .testTarget(
      name: "CassetteTestingTests",
      dependencies: [
        "TestSupport", "MockServerTesting", "CassetteTesting", "CassetteSession", "CassetteRecording",
        "CassettePlayback", "CassetteFiles", "Cassettes", "CassetteSecrets", "CassetteJSON", "CassetteHTTP",
      ],
      exclude: ["Cassettes"], swiftSettings: settings),
    .testTarget(
      name: "CassetteContractTestingTests", dependencies: ["CassetteContractTesting", "CassetteTesting"],
      exclude: ["Cassettes", "openapi.yaml"], swiftSettings: settings),
    // What a newcomer copies; it uses nothing but what users have.
    .testTarget(
      name: "ExampleTests", dependencies: ["MockServerTesting", "CassetteTesting"], exclude: ["Cassettes"],
      swiftSettings: settings),
    // Clients that do not use `URLSession`, and adapters to copy.
    .testTarget(
      name: "AnyClientTests", dependencies: ["MockServerTesting", "CassetteTesting"], path: "Tests/Samples/AnyClient",
      exclude: ["Cassettes"], swiftSettings: settings),
    // A user's module with names that the products must not capture, and a test beside it that names them.
    .target(name: "UserNames", path: "Tests/UserNames", swiftSettings: settings),
    .testTarget(
      name: "PublicNamesTests",
      dependencies: [
        "UserNames", "MockServerTesting", "CassetteContractTesting", "CassetteTesting", "CassetteSession",
        "MockServerKit",
      ], swiftSettings: settings),
    .testTarget(
      name: "APIClientKitTests",
      dependencies: [
        "ClientTestSupport", "TestSupport", "APIClientKit", "MockServerTesting", "CassetteTesting", "CassetteFiles",
        "Cassettes", "CassetteSystem",
      ],
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "GitHubAPITests",
      dependencies: [
        "ClientTestSupport", "TestSupport", "GitHubAPI", "APIClientKit", "MockServerTesting", "CassetteTesting",
        "CassetteFormats", "CassetteFiles", "Cassettes", "CassetteHTTP", "CassetteSystem",
      ],
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "TestSupport", "CassetteSession", "MockServerKit", "MockServerUpstream", "CassetteRecording",
        "CassettePlayback", "CassetteFiles", "Cassettes", "CassetteSecrets", "CassetteHTTP", "CassetteSystem",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StarWarsAPITests", dependencies: ["ClientTestSupport", "StarWarsAPI", "CassetteTesting"],
      exclude: ["Cassettes"], swiftSettings: settings),
    .testTarget(
      name: "ArticlesAPITests", dependencies: ["ClientTestSupport", "ArticlesAPI", "CassetteTesting"],
      exclude: ["Cassettes"], swiftSettings: settings),
    tests(
      of: "mockserver",
      with: [
        "ServerTestSupport", "TestSupport", "CassetteTesting", "CassetteListing", "MockServerOptions",
        "CassetteRefresh", "CassetteSession", "MockServerKit", "MockServerControl", "MockServerUpstream",
        "CassetteSimulation", "CassetteRecording", "CassettePlayback", "MockServerTLS", "CassetteFileSchema",
        "CassetteFiles", "Cassettes", "CassetteSecrets", "MockServerConsole", "CassetteHTTP", "CassetteSystem",
      ]),
  ]
)
