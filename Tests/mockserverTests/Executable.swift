import Foundation
import MockServerConsole
import TestSupport

/// The command as it was built, beside the tests.
enum Executable {
  /// Nil where tests run without the products beside them.
  static let path = path(of: "mockserver")
  /// The program that the plugin starts; nil as ``path``.
  static let tool = path(of: "cassettes-tool")

  private static func path(of program: String) -> String? {
    var folders = CommandLine.arguments.filter { $0.contains(".xctest") }.map { argument in
      var url = URL(fileURLWithPath: argument)
      while url.pathExtension != "xctest", url.path != "/" { url.deleteLastPathComponent() }
      return url.deletingLastPathComponent().path
    }
    // Tests/mockserverTests/Executable.swift, three steps below the package.
    let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    folders.append(package.appendingPathComponent(".build/debug").path)
    return folders.map { "\($0)/\(program)" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }

  static func run(_ arguments: [String], environment: [String: String]? = nil, folder: String? = nil) throws
    -> ChildProcess.Result
  {
    guard let path else { throw Missing() }
    return try ChildProcess.run(path, arguments, environment: environment, folder: folder)
  }

  struct Missing: Error {}
}

/// A server in a process of its own.
final class RunningServer {
  private let process: ChildProcess
  /// The line on standard output.
  let ready: String

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - arguments: What the command is given.
  ///   - descriptors: How many descriptors the process may have; nil for as many as the system allows.
  ///   - fileBlocks: The longest file that the process may write, in blocks of 512 bytes; nil for no limit.
  ///   - log: The file that gets its standard error: a pipe that nobody reads meanwhile holds 64 KB.
  ///   - signal: The name of a signal that the process ignores; effective only with `log`. Empty by default.
  /// - Throws: When there is no command beside the tests.
  init(
    _ arguments: [String], descriptors: Int? = nil, fileBlocks: Int? = nil, log: String? = nil,
    ignoring signal: String = ""
  ) throws {
    guard let path = Executable.path else { throw Executable.Missing() }
    if let limit = descriptors.map({ "-n \($0)" }) ?? fileBlocks.map({ "-f \($0)" }) {
      let script = "ulimit \(limit) && exec \"$0\" \"$@\""
      process = try ChildProcess("/bin/sh", ["-c", script, path] + arguments)
    } else if let log {
      process = try ChildProcess(
        "/bin/sh",
        ["-c", "\(signal.isEmpty ? "" : "trap '' \(signal); ")exec \"$0\" \"$@\" 2>'\(log)'", path] + arguments)
    } else {
      process = try ChildProcess(path, arguments)
    }
    var bytes: [UInt8] = []
    while !bytes.contains(UInt8(ascii: "\n")) {
      let more = process.nextOutput()
      if more.isEmpty { break }
      bytes += more
    }
    ready = String(decoding: bytes, as: UTF8.self)
  }

  /// The address in the ready line.
  var port: Int? {
    ready.split(separator: " ").first { $0.hasPrefix("http://") }?.split(separator: ":").last.flatMap { Int($0) }
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end; how it ended, and the rest of what it said.
  func end() -> ChildProcess.Result { process.end() }
}
