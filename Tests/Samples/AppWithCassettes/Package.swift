// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "AppWithCassettes",
  platforms: [.macOS(.v13), .iOS(.v16)],
  dependencies: [
    // In a package of your own: .package(url: "…", from: "0.1.0"), the address that mockserver was cloned from.
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
