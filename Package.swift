// swift-tools-version: 6.2
import PackageDescription

// Only `.ci/run` sets the variable. A package that depends on this one must build even if its compiler reports
// warnings, and build systems that suppress the warnings of dependencies reject the option.
let strict: [SwiftSetting] =
  Context.environment["MOCKSERVER_WARNINGS_AS_ERRORS"] == "1" ? [.treatAllWarnings(as: .error)] : []

// Apple's SDKs contain zlib. There, pkg-config would print a warning or find another zlib.
#if os(Linux)
  let zlib: String? = "zlib"
#else
  let zlib: String? = nil
#endif

// The tool of `swift package cassettes` as an artifact bundle. `.github/release/tag` names it in the commit of a release;
// elsewhere the plugin compiles the tool.
let builtTool: (url: String, checksum: String)? = nil
let builtTools: [Target] =
  builtTool.map { tool in
    [.binaryTarget(name: "BuiltCassettesTool", url: tool.url, checksum: tool.checksum)]
  } ?? []

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + strict

/// Returns a target in `Sources` with the common settings.
func target(_ name: String, dependsOn dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The dependencies of nearly all targets above floor 1.
let basics: [Target.Dependency] = ["CassetteJSON", "CassetteHTTP", "CassetteSystem"]

/// The basics, the model of recordings, and the redaction of secrets.
let model: [Target.Dependency] = ["Cassettes", "CassetteSecrets"] + basics

/// Returns the test target for a target.
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
    // A product, because the plugin builds it together with the tests and then shares their modules.
    .executable(name: "cassettes-tool", targets: ["cassettes-tool"]),
    .library(name: "APIClientKit", targets: ["APIClientKit"]),
    .library(name: "GitHubAPI", targets: ["GitHubAPI"]),
    .library(name: "StarWarsAPI", targets: ["StarWarsAPI"]),
    .library(name: "ArticlesAPI", targets: ["ArticlesAPI"]),
  ],
  targets: [
    // Floor 0: the platform, HTTP messages, JSON, YAML, patterns, reports, the terminal, and C modules.
    .target(name: "CCassetteSystem"),
    .target(
      name: "CassetteSystem", dependencies: ["CCassetteSystem"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
    target("CassetteHTTP", dependsOn: ["CCassetteZlib", "CassetteSystem"]),
    target("CassettePatterns", dependsOn: ["CassetteSystem"]),
    target("CassetteJSON", dependsOn: ["CassettePatterns", "CassetteSystem"]),
    target("MockServerConsole", dependsOn: ["Cassettes", "CassetteJSON", "CassetteSystem"]),
    target("CassetteYAML", dependsOn: ["CassetteJSON", "CassetteSystem"]),
    .target(name: "CMockServerEpoll"),
    .target(name: "CCassetteNetworkGate"),
    .target(name: "CMockServerInspector", exclude: ["Page"]),
    .systemLibrary(name: "CCassetteZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"])]),
    // Floor 1: the detection of secrets; HTTP/1 parsing and sockets.
    target("CassetteSecrets", dependsOn: ["CassettePatterns"] + basics),
    target("MockServerWire", dependsOn: ["CassetteHTTP", "CassetteSystem"]),
    target("MockServerSockets", dependsOn: ["CMockServerEpoll", "CassetteSystem"]),
    // Floor 2: the model of recordings, its files and folders; TLS.
    target("Cassettes", dependsOn: ["CCassetteSystem", "CassetteSecrets", "CassettePatterns"] + basics),
    // Floor 3: matching, playback, recording, editing and simulation.
    target("CassetteMatching", dependsOn: ["CassettePatterns"] + model),
    target(
      "CassettePlayback",
      dependsOn: [
        "CassetteMatching", "CassettePatterns",
      ] + model),
    target(
      "CassetteRecording",
      dependsOn: ["CassetteMatching", "CassettePatterns"] + model),
    // The engines for schemas, templates and resources, which the core does not require.
    target(
      "CassetteEngines",
      dependsOn: ["CassetteMatching", "Cassettes", "CassettePatterns"] + basics),
    // Floor 4: the server and the URLSession player; other tools' formats; OpenAPI; comparing, merging and refreshing.
    target(
      "MockServerUpstream",
      dependsOn: [
        "CassetteRecording", "MockServerSockets", "Cassettes", "MockServerWire", "CassetteSecrets",
      ] + basics),
    target(
      "MockServerControl",
      dependsOn: [
        "MockServerUpstream", "CassetteMaintenance", "CassetteRecording", "CassettePlayback", "CassetteMatching",
        "MockServerSockets", "MockServerWire", "CMockServerInspector",
      ] + model),
    target(
      "MockServerKit",
      dependsOn: [
        "CassetteEngines", "CassetteOpenAPI", "MockServerControl", "MockServerUpstream", "CassetteRecording",
        "CassettePlayback", "CassetteMatching", "MockServerSockets", "Cassettes", "MockServerWire", "CassetteSecrets",
        "CassetteJSON", "CassetteHTTP", "CassetteSystem",
      ]),
    target(
      "CassetteSession",
      dependsOn: [
        "CassetteRecording", "CassettePlayback", "CassetteMatching",
        "CCassetteNetworkGate", "CassettePatterns",
      ] + model),
    target(
      "CassetteMaintenance",
      dependsOn: [
        "CassetteEngines", "CassetteRecording", "CassettePlayback", "CassetteMatching", "MockServerConsole",
      ] + model),
    target(
      "CassetteOpenAPI",
      dependsOn: ["CassetteEngines", "CassetteYAML", "CassettePatterns"] + model),
    target(
      "CassetteFormats",
      dependsOn: ["CassetteRecording", "CassetteMatching", "CassetteEngines", "CassetteYAML", "CassettePatterns"]
        + model),
    // Floor 5: the commands, and the libraries for tests.
    target(
      "CassetteTesting",
      dependsOn: ["CassetteSession", "CassetteRecording", "CassettePlayback"] + model),
    target(
      "CassetteContractTesting",
      dependsOn: [
        "CassetteTesting", "CassetteOpenAPI", "CassetteSession", "Cassettes", "CassetteSecrets", "CassetteHTTP",
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
        "CassetteMaintenance", "MockServerConsole", "CassetteFormats", "CassetteOpenAPI", "MockServerKit",
        "MockServerControl", "MockServerUpstream", "CassetteRecording", "CassettePlayback", "CassetteMatching",
        "MockServerSockets", "MockServerWire",
      ] + model,
      swiftSettings: settings),

    // The commands `list` and `check` for the plugin, so that packages that use the plugin need not build the server.
    .executableTarget(
      name: "cassettes-tool",
      dependencies: ["CassetteEngines", "CassetteMaintenance", "MockServerConsole", "CassetteSystem"],
      swiftSettings: settings),

    // Example clients: typed requests, a tree of resources based on them, a struct of closures, and an enum of routes
    // with a token store.
    target("APIClientKit"),
    target("GitHubAPI", dependsOn: ["APIClientKit"]),
    target("StarWarsAPI"),
    target("ArticlesAPI"),

    // `swift package cassettes`, which requests no permissions, so that `list` and `check` never prompt the user.
    .plugin(
      name: "CassettesPlugin",
      capability: .command(
        intent: .custom(verb: "cassettes", description: "List, check and record the cassettes of this package's tests")),
      dependencies: builtTools.map { .byName(name: $0.name) },
      path: "Sources/CassettesPlugin"),

    // Measures the built command from another process. Not a test.
    .executableTarget(
      name: "Benchmarks", dependencies: ["CassetteSystem"], path: "Tests/Benchmarks", swiftSettings: settings),
    // Compares the time of playback within a process with that of a minimal URLProtocol.
    .executableTarget(
      name: "SessionBenchmarks", dependencies: ["CassetteSession", "Cassettes", "CassetteHTTP"],
      path: "Tests/SessionBenchmarks", swiftSettings: settings),
    // Measures the redaction of secrets in an exchange.
    .executableTarget(
      name: "SecretBenchmarks",
      dependencies: ["MockServerUpstream", "CassetteRecording", "CassetteSecrets", "Cassettes", "CassetteHTTP"],
      path: "Tests/SecretBenchmarks", swiftSettings: settings),

    // Functions shared by several test targets.
    .target(
      name: "TestSupport",
      dependencies: [
        "CassettePlayback", "Cassettes", "CassetteEngines", "CassettePatterns",
      ] + basics, path: "Tests/TestSupport", swiftSettings: settings),
    // Functions for tests with servers, and for tests of the example clients with both players.
    .target(
      name: "ServerTestSupport", dependencies: ["MockServerSockets", "CassetteHTTP"],
      path: "Tests/ServerTestSupport", swiftSettings: settings),
    .target(
      name: "ClientTestSupport", dependencies: ["MockServerTesting", "CassetteTesting"],
      path: "Tests/ClientTestSupport",
      swiftSettings: settings),

    tests(of: "CassetteSystem"),
    tests(of: "CassetteHTTP", with: ["TestSupport"]),
    tests(of: "MockServerWire", with: ["TestSupport", "CassetteHTTP", "CassetteSystem"]),
    tests(of: "CassetteJSON", with: ["TestSupport", "CassettePatterns", "CassetteSystem"]),
    tests(of: "CassetteYAML", with: ["CassetteJSON", "CassetteSystem"]),
    tests(of: "CassetteSecrets", with: ["TestSupport", "CassetteMatching"] + basics),
    tests(of: "CassettePatterns", with: ["TestSupport"]),
    tests(of: "CassetteEngines", with: ["Cassettes", "CassettePatterns"] + basics),
    tests(
      of: "CassetteMaintenance",
      with: [
        "TestSupport", "CassetteEngines", "CassetteRecording", "CassettePlayback", "CassetteMatching",
        "MockServerConsole", "Cassettes", "CassetteSecrets", "CassetteHTTP",
      ]),
    tests(
      of: "CassetteOpenAPI",
      with: ["CassetteEngines", "CassetteFormats", "CassettePatterns", "Cassettes", "CassetteJSON", "CassetteHTTP"]),
    tests(of: "MockServerConsole", with: ["CassetteJSON"]),
    tests(
      of: "Cassettes",
      with: [
        "TestSupport", "CassetteMaintenance", "MockServerUpstream", "MockServerWire", "CassetteRecording",
        "CassettePlayback", "CassetteEngines", "CassettePatterns", "CassetteSecrets",
      ] + basics),
    tests(
      of: "CassetteMatching",
      with: [
        "TestSupport", "CassetteRecording", "CassettePlayback", "Cassettes", "CassetteSecrets", "CassetteJSON",
        "CassettePatterns", "CassetteHTTP",
      ]),
    tests(
      of: "CassettePlayback",
      with: [
        "TestSupport", "CassetteMatching", "Cassettes", "CassettePatterns",
      ] + basics),
    tests(
      of: "CassetteRecording",
      with: ["TestSupport", "MockServerUpstream", "CassetteMatching"] + model),
    tests(
      of: "CassetteFormats",
      with: [
        "ServerTestSupport", "TestSupport", "MockServerKit", "MockServerWire",
        "CassettePlayback",
      ] + model),
    tests(of: "MockServerSockets", with: ["ServerTestSupport", "CassetteSystem"]),
    tests(
      of: "MockServerKit",
      with: [
        "ServerTestSupport", "TestSupport", "CassetteFormats", "CassetteOpenAPI", "MockServerControl",
        "MockServerUpstream", "CassetteRecording", "CassettePlayback", "MockServerSockets", "MockServerWire",
        "CCassetteZlib", "CassettePatterns",
      ] + model),
    tests(
      of: "CassetteSession",
      with: [
        "TestSupport", "CassetteRecording", "CassettePlayback", "Cassettes", "CassetteSecrets",
        "CassetteHTTP", "CassetteSystem",
      ]),
    .testTarget(
      name: "CassetteTestingTests",
      dependencies: [
        "TestSupport", "MockServerTesting", "CassetteTesting", "CassetteSession", "CassetteRecording",
        "CassettePlayback", "Cassettes", "CassetteSecrets", "CassetteJSON", "CassetteHTTP",
      ],
      exclude: ["Cassettes"], swiftSettings: settings),
    .testTarget(
      name: "CassetteContractTestingTests", dependencies: ["CassetteContractTesting", "CassetteTesting"],
      exclude: ["Cassettes", "openapi.yaml"], swiftSettings: settings),
    // Example tests for new users, which use only public products.
    .testTarget(
      name: "ExampleTests", dependencies: ["MockServerTesting", "CassetteTesting"], exclude: ["Cassettes"],
      swiftSettings: settings),
    // Clients that do not use `URLSession`, and adapters to copy.
    .testTarget(
      name: "AnyClientTests", dependencies: ["MockServerTesting", "CassetteTesting"], path: "Tests/Samples/AnyClient",
      exclude: ["Cassettes"], swiftSettings: settings),
    // A user's module whose names the products must not shadow, and a test that uses these names.
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
        "ClientTestSupport", "TestSupport", "APIClientKit", "MockServerTesting", "CassetteTesting", "Cassettes",
        "CassetteSystem",
      ],
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "GitHubAPITests",
      dependencies: [
        "ClientTestSupport", "TestSupport", "GitHubAPI", "APIClientKit", "MockServerTesting", "CassetteTesting",
        "CassetteFormats", "Cassettes", "CassetteHTTP", "CassetteSystem",
      ],
      exclude: ["Cassettes"],
      swiftSettings: settings),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "TestSupport", "CassetteSession", "MockServerKit", "MockServerUpstream", "CassetteRecording",
        "CassettePlayback", "Cassettes", "CassetteSecrets", "MockServerWire", "CassetteHTTP",
        "CassetteSystem",
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
        "ServerTestSupport", "TestSupport", "CassetteTesting", "CassetteMaintenance", "MockServerConsole",
        "CassetteSession", "MockServerKit", "MockServerControl", "MockServerUpstream", "CassetteRecording",
        "CassettePlayback", "MockServerSockets", "Cassettes", "CassetteSecrets", "MockServerWire", "CassetteJSON",
        "CassetteHTTP", "CassetteSystem",
      ]),
  ] + builtTools
)
