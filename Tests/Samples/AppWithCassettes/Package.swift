// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "AppWithCassettes",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    // In your own package: .package(url: "…", from: "0.1.0") with the URL from which you cloned mockserver.
    .package(name: "mockserver", path: "../../..")
  ],
  targets: [
    .target(name: "App"),
    .executableTarget(
      name: "Demo", dependencies: ["App", .product(name: "CassetteSession", package: "mockserver")]),
    .testTarget(
      name: "AppTests",
      dependencies: ["App", .product(name: "CassetteTesting", package: "mockserver")],
      exclude: ["Cassettes"]),
  ]
)
