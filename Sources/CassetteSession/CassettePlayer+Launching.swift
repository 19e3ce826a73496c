public import Cassettes
public import Foundation

extension CassettePlayer {
  /// The name of the environment variable with the cassettes for an app: `CASSETTES`.
  public static let launchVariable = "CASSETTES"

  /// Creates a player of cassettes in the resources of a bundle.
  ///
  /// A name selects the file `NAME.json` or the folder `NAME`, in the folder `Cassettes` of the bundle or directly in
  /// the bundle, depending on how `resources: [.copy("Cassettes")]`, `.process` or Xcode copied it.
  ///
  /// - Parameters:
  ///   - names: The names of the cassettes, or absolute paths.
  ///   - bundle: The bundle with the cassettes.
  ///   - matching: The rules for comparing requests with recordings. By default, the rules of the files.
  /// - Throws: ``CassetteError`` if a cassette is not found, or has an error.
  public convenience init(_ names: String..., in bundle: Bundle, matching: CassetteMatchingOptions...)
    throws(CassetteError)
  {
    try self.init(names: names, in: bundle, matching)
  }

  private convenience init(names: [String], in bundle: Bundle, _ matching: [CassetteMatchingOptions])
    throws(CassetteError)
  {
    self.init(name: names.joined(separator: ", "))
    var paths: [String] = []
    for name in names { paths.append(try Self.path(of: name, in: bundle)) }
    try add(paths: paths, mode: .replay, matching: CassetteMatchingOptions(matching))
  }

  /// Returns a player if the environment of this process specifies cassettes; nil otherwise.
  ///
  /// `CASSETTES` contains names as in `init(_:in:matching:)`, separated by colons. A UI test sets the variable before
  /// it launches the app. If a cassette cannot be read, every request fails with an explanation.
  ///
  /// - Parameters:
  ///   - bundle: The bundle with the cassettes. The main bundle by default.
  ///   - environment: The environment variables. By default, those of the process.
  ///   - matching: The rules for comparing requests with recordings. By default, the rules of the files.
  /// - Returns: The player, which its sessions retain; nil if the app should use its servers.
  public static func launched(
    in bundle: Bundle = .main, environment: [String: String] = ProcessInfo.processInfo.environment,
    matching: CassetteMatchingOptions...
  ) -> CassettePlayer? {
    guard let value = environment[launchVariable], !value.isEmpty else { return nil }
    let names = value.split(separator: ":").map(String.init)
    do throws(CassetteError) {
      return try CassettePlayer(names: names, in: bundle, matching)
    } catch {
      // If the app used its servers instead, the test would seem to pass.
      let player = CassettePlayer(name: value)
      player.end("was sent by an app started with \(launchVariable)=\(value), which cannot be played: \(error)")
      return player
    }
  }

  /// Returns the path of a cassette, or of a folder of cassettes, by its name in a folder; nil if it is not found.
  package static func path(of name: String, in folder: String) -> String? {
    let plain = folder.isEmpty ? name : Folder.join(folder, name)
    let candidates = name.hasSuffix(".json") ? [plain] : [plain + ".json", plain]
    return candidates.first { Folder.resolvedKind(of: $0) != .missing }
  }

  /// Returns the path of a cassette, or of a folder of cassettes, in the resources of a bundle.
  private static func path(of name: String, in bundle: Bundle) throws(CassetteError) -> String {
    var places: [String] = []
    for folder in [bundle.resourcePath, bundle.bundlePath].compactMap({ $0 }) where !places.contains(folder) {
      places.append(folder)
    }
    let bases = name.hasPrefix("/") ? [""] : places.flatMap { [Folder.join($0, "Cassettes"), $0] }
    for base in bases {
      if let path = path(of: name, in: base) { return path }
    }
    throw CassetteError(
      file: name, message: "the cassette was not found in \(places.joined(separator: ", "))",
      suggestion: "add it to the app's resources: resources: [.copy(\"Cassettes\")], or give its absolute path")
  }
}
