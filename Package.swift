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
  ],
  targets: [
    // Floor 0: messages, JSON as text, C modules.
    room("HTTP"),
    room("JSONText"),
    .target(name: "CEpoll"),
    // Floor 1: what was exchanged; bytes over TCP.
    room("Cassettes", over: ["HTTP", "JSONText"]),
    room("Sockets", over: ["CEpoll"]),
    // Floor 3: the server.
    room("MockServerKit", over: ["HTTP", "Sockets", "Cassettes"]),
    // Floor 4: the command.
    .executableTarget(
      name: "mockserver", dependencies: ["MockServerKit", "Cassettes", "HTTP", "JSONText"], swiftSettings: settings),

    // Measures the built command from outside; not a test.
    .executableTarget(name: "Benchmarks", path: "Tests/Benchmarks", swiftSettings: settings),

    tests(of: "HTTP"),
    tests(of: "JSONText"),
    tests(of: "Cassettes", with: ["HTTP", "JSONText"]),
    tests(of: "Sockets"),
    tests(of: "MockServerKit", with: ["HTTP", "Sockets", "Cassettes"]),
    tests(of: "mockserver", with: ["MockServerKit", "Cassettes", "HTTP"]),
  ]
)
