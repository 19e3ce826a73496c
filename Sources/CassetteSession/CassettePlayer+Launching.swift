public import Cassettes
public import Foundation

extension CassettePlayer {
  /// The environment variable that names the cassettes for an app: `CASSETTES`.
  public static let launchVariable = "CASSETTES"

  /// Creates a player of cassettes among the resources of a bundle.
  ///
  /// A name stands for `NAME.json` or a folder `NAME`, in the folder `Cassettes` of the bundle or beside it, where
  /// `resources: [.copy("Cassettes")]`, `.process` and Xcode put them.
  ///
  /// - Parameters:
  ///   - names: The cassettes' names, or absolute paths.
  ///   - bundle: What has them among its resources.
  ///   - matching: How requests are compared with their recordings.
  /// - Throws: ``CassetteError`` when there is no such cassette, or with the place of what is wrong in it.
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

  /// Returns the player of the cassettes that this process was started on; nil when it was started as usual.
  ///
  /// `CASSETTES` in the environment names them as `init(_:in:matching:)` does, several with a colon between them: a UI
  /// test sets it before it starts the app. Where one cannot be read, every request fails and says why.
  ///
  /// - Parameters:
  ///   - bundle: What has the cassettes among its resources.
  ///   - environment: The environment's variables.
  ///   - matching: How requests are compared with their recordings.
  /// - Returns: A player, which its sessions keep; nil means that the app asks its servers.
  public static func launched(
    in bundle: Bundle = .main, environment: [String: String] = ProcessInfo.processInfo.environment,
    matching: CassetteMatchingOptions...
  ) -> CassettePlayer? {
    guard let value = environment[launchVariable], !value.isEmpty else { return nil }
    let names = value.split(separator: ":").map(String.init)
    do throws(CassetteError) {
      return try CassettePlayer(names: names, in: bundle, matching)
    } catch {
      // An app that went to its servers instead would look like a test that passes.
      let player = CassettePlayer(name: value)
      player.end("was sent by an app started with \(launchVariable)=\(value), which cannot be played: \(error)")
      return player
    }
  }

  /// Finds a cassette, or a folder of them, by its name in a folder; nil where there is none.
  package static func path(of name: String, in folder: String) -> String? {
    let plain = folder.isEmpty ? name : Folder.join(folder, name)
    let candidates = name.hasSuffix(".json") ? [plain] : [plain + ".json", plain]
    return candidates.first { Folder.resolvedKind(of: $0) != .missing }
  }

  /// Finds a cassette, or a folder of them, among the resources of a bundle.
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
      file: name, message: "there is no such cassette in \(places.joined(separator: ", "))",
      suggestion: "add it to the app's resources: resources: [.copy(\"Cassettes\")], or give its absolute path")
  }
}
