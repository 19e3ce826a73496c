import Cassettes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder beside the cassettes that nobody reads, where an import is written before it is moved to its place.
struct Staging {
  let path: String
  private let into: String
  private let madeFolder: Bool

  /// Makes the folder, and the one it is to be moved to.
  init(beside into: String) throws(CassetteError) {
    self.into = into
    madeFolder = Folder.resolvedKind(of: into) == .missing
    path = Folder.join(into, ".import-\(UInt32.random(in: 0 ... .max))")
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CassetteError(file: into, message: "cannot be made a folder: \(Self.reason(error))")
    }
  }

  /// The first cassette of these names that is there already.
  static func existing(_ names: [String], in folder: String) -> String? {
    names.map { Folder.join(folder, "\($0).json") }.first { Folder.kind(of: $0) != .missing }
  }

  /// Moves cassettes and their bodies to their place, bodies first.
  func commit(_ names: [String]) throws(Intake.Failure) {
    let manager = FileManager.default
    do {
      for name in names {
        let bodies = "bodies/\(BodyNames.folder(of: name))"
        if Folder.kind(of: Folder.join(path, bodies)) == .folder {
          try manager.createDirectory(atPath: Folder.join(into, "bodies"), withIntermediateDirectories: true)
          try move(bodies)
        }
        try move("\(name).json")
      }
    } catch {
      throw .refused(CassetteError(file: into, message: "cannot be written to: \(Self.reason(error))"))
    }
  }

  /// Moves one thing; what is there goes to the staging folder, and with it away.
  private func move(_ name: String) throws {
    let manager = FileManager.default
    let (from, to) = (Folder.join(path, name), Folder.join(into, name))
    if Folder.kind(of: to) != .missing {
      let old = Folder.join(path, "old")
      try manager.createDirectory(atPath: Folder.parent(of: Folder.join(old, name)), withIntermediateDirectories: true)
      try manager.moveItem(atPath: to, toPath: Folder.join(old, name))
    }
    try manager.moveItem(atPath: from, toPath: to)
  }

  /// Removes what is left of it, and the folder if it was made for this import and holds nothing.
  func discard() {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    if madeFolder, (try? manager.contentsOfDirectory(atPath: into).isEmpty) == true {
      try? manager.removeItem(atPath: into)
    }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? CocoaError).map { "\($0.code.rawValue)" } ?? "\(error)"
  }
}
