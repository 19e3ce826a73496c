import Foundation
import MockServerConsole
import TestSupport

/// The built command next to the test bundle.
enum Executable {
  /// The path of the command; nil if tests run without the products.
  static let path = path(of: "mockserver")
  /// The path of the program that the plugin starts; nil like ``path``.
  static let tool = path(of: "cassettes-tool")

  private static func path(of program: String) -> String? {
    var folders = CommandLine.arguments.filter { $0.contains(".xctest") }.map { argument in
      var url = URL(fileURLWithPath: argument)
      while url.pathExtension != "xctest", url.path != "/" { url.deleteLastPathComponent() }
      return url.deletingLastPathComponent().path
    }
    // Tests/mockserverTests/Executable.swift is three levels below the package folder.
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

/// A server in a separate process.
final class RunningServer {
  private let process: ChildProcess
  /// The line on standard output.
  let ready: String

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command.
  ///   - descriptors: The maximum number of file descriptors of the process; nil for the limit of the system.
  ///   - fileBlocks: The maximum size of a file that the process writes, in blocks of 512 bytes; nil for no limit.
  ///   - log: The file for its standard error; nil for a pipe, which holds 64 KB until it is read.
  ///   - signal: The name of a signal that the process ignores; effective only with `log`. Empty by default.
  /// - Throws: `Missing` if the command is not next to the tests.
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

  /// Waits until the process exits, and returns its status and the rest of its output.
  func end() -> ChildProcess.Result { process.end() }
}
