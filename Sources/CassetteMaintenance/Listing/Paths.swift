internal import CassetteSystem
import Cassettes
package import MockServerConsole

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Resolves the files and folders of a command line.
package enum Paths {
  /// The default folder.
  static let standard = "./cassettes"

  /// Returns the given paths, or the default folder if none is given.
  ///
  /// - `hint`: The advice for a missing default folder.
  /// - `advice`: Another line for a given path that does not exist. Default: none.
  /// - `isOptional`: True if another source is given, so that the default folder may be missing. Default: false.
  ///
  /// Returns the paths; empty for a missing default folder that is optional.
  package static func resolve(
    _ given: [String], hint: String, advice: String? = nil, isOptional: Bool = false
  ) throws(CommandError) -> [String] {
    guard !given.isEmpty else {
      if isOptional, Folder.resolvedKind(of: standard) == .missing { return [] }
      guard Folder.resolvedKind(of: standard) == .folder else {
        throw CommandError(.noInput, "there is no folder \(standard)", hint: hint)
      }
      return [standard]
    }
    for path in given where Folder.resolvedKind(of: path) == .missing { throw missing(path, advice: advice) }
    return given
  }

  /// Returns the given files, and the files below given folders; `isNamed` is true for the former.
  package static func files(
    in paths: [String], skipping skipped: Set<String> = [], hidden: Bool = false
  ) -> some Sequence<(file: String, isNamed: Bool)> {
    paths.lazy.flatMap { path -> [(file: String, isNamed: Bool)] in
      guard Folder.resolvedKind(of: path) == .folder else { return [(path, true)] }
      return Folder.files(in: path, skipping: skipped, hidden: hidden).files.map { (Folder.join(path, $0), false) }
    }
  }

  /// Returns the only path, which must be a file.
  package static func file(_ given: [String]) throws(CommandError) -> String {
    let path = try resolve(given, hint: "")[0]
    guard Folder.resolvedKind(of: path) == .file else {
      throw CommandError(
        .noInput, "\(path) is a folder", hint: "Name one of its cassettes: \(ShellWord.path(path))/*.json")
    }
    return path
  }

  /// Throws if a path is not a folder.
  package static func requireFolder(_ path: String, for option: Option) throws(CommandError) {
    switch Folder.resolvedKind(of: path) {
    case .folder: return
    case .missing: throw missing(path)
    case .file, .link:
      throw CommandError(.noInput, "\(option.flag) requires a folder, and \(path) is a file")
    }
  }

  /// Creates the folder of a file and the folders above it; returns the paths of the new folders, the deepest first.
  @discardableResult
  package static func makeFolder(of file: String) throws(CommandError) -> [String] {
    let folder = Folder.parent(of: file)
    guard Folder.resolvedKind(of: folder) != .folder else { return [] }
    var made: [String] = []
    var missing = folder
    while Folder.resolvedKind(of: missing) == .missing {
      made.append(missing)
      missing = Folder.parent(of: missing)
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw refused(.foundation(error, "create the folder", folder))
    }
    return made
  }

  /// Removes folders that are empty, in this order.
  package static func removeEmpty(_ folders: [String]) {
    let files = FileManager.default
    for folder in folders where (try? files.contentsOfDirectory(atPath: folder))?.isEmpty == true {
      try? files.removeItem(atPath: folder)
    }
  }

  /// Writes an output file atomically.
  package static func write(_ bytes: [UInt8], to file: String) throws(CommandError) {
    do {
      try Data(bytes).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw refused(.foundation(error, "write", file))
    }
  }

  private static func refused(_ failure: FileFailure) -> CommandError {
    CommandError(
      .noInput, Printable.escaped(failure.message),
      hint: failure.remedy.map { Printable.escaped($0.prefix(1).uppercased() + $0.dropFirst() + ".") })
  }

  /// Returns true if two paths refer to the same file, possibly through links.
  package static func areOne(_ path: String, _ other: String) -> Bool {
    func number(_ path: String) -> String? {
      let resolved = URL(filePath: path).resolvingSymlinksInPath().path
      let facts = try? FileManager.default.attributesOfItem(atPath: resolved)
      guard let device = facts?[.systemNumber], let number = facts?[.systemFileNumber] else { return nil }
      return "\(device) \(number)"
    }
    return number(path).map { $0 == number(other) } ?? false
  }

  /// Returns an error about a missing path, with a similar name or the contents of its folder as a hint.
  private static func missing(_ path: String, advice: String? = nil) -> CommandError {
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
    let folder = Folder.parent(of: String(trimmed))
    let name = trimmed.split(separator: "/").last.map(String.init) ?? path
    guard Folder.resolvedKind(of: folder) == .folder else {
      return CommandError(
        .noInput, "no such file or folder: \(path)", hint: "The folder \(folder) does not exist either.")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { !$0.hasPrefix(".") } ?? []
    let meant = nearest(to: name, among: names).map {
      "Did you mean \(path.contains("/") ? Folder.join(folder, $0) : $0)?"
    }
    let there =
      names.isEmpty ? "no files" : names.sorted().prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return CommandError(
      .noInput, "no such file or folder: \(path)",
      hint: meant ?? "The folder \(folder) contains \(there)." + (advice.map { "\n\($0)" } ?? ""))
  }
}

/// The reports that `--report` requests.
package struct Reports {
  private var wanted: [(format: FindingsReport.Format, file: String)] = []

  /// Parses options such as `--report junit=FILE`.
  package init(_ invocation: Invocation) throws(CommandError) {
    for text in invocation.texts(Manual.report) {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let format = FindingsReport.Format(rawValue: parts[0]) else {
        let names = series(FindingsReport.Format.allCases.map { "\($0.rawValue)=FILE" }, "or")
        throw .usage("--report must be \(names), not \"\(text)\"", of: invocation.command)
      }
      wanted.append((format, parts[1]))
    }
  }

  package var isEmpty: Bool { wanted.isEmpty }

  /// Writes a report in each requested format.
  ///
  /// - `hiding`: Removes confidential text from the output. Default: no change.
  package func write(_ report: FindingsReport, hiding: (String) -> String = { $0 }) throws(CommandError) {
    for (format, file) in wanted {
      try Paths.write(Array(hiding(report.text(as: format)).utf8), to: file)
    }
  }
}

extension FindingsReport {
  /// Creates a report about problems in cassettes, with a case for each file.
  init(name: String, files: [String], problems: [CassetteError], rule: String = "cassette") {
    self.init(name: name)
    var names = files
    for problem in problems where !names.contains(problem.file) { names.append(problem.file) }
    let byFile = Dictionary(grouping: problems, by: \.file)
    cases = names.map { file in
      Case(
        group: name, name: file,
        findings: (byFile[file] ?? []).map { problem in
          Finding(
            problem.severity == .error ? .error : .warning, rule: rule,
            problem.message + (problem.suggestion.map { ", \($0)" } ?? ""), file: file, line: problem.line,
            column: problem.column)
        })
    }
  }
}
