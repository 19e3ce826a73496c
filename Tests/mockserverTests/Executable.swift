import Foundation

/// The command as it was built, beside the tests.
enum Executable {
  /// Nil where tests run without the products beside them.
  static let path: String? = {
    var folders = CommandLine.arguments.filter { $0.contains(".xctest") }.map { argument in
      var url = URL(fileURLWithPath: argument)
      while url.pathExtension != "xctest", url.path != "/" { url.deleteLastPathComponent() }
      return url.deletingLastPathComponent().path
    }
    // Tests/mockserverTests/Executable.swift, three steps below the package.
    let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    folders.append(package.appendingPathComponent(".build/debug").path)
    return folders.map { "\($0)/mockserver" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }()

  static func run(_ arguments: [String], environment: [String: String]? = nil, folder: String? = nil) throws
    -> Child.Result
  {
    guard let path else { throw Missing() }
    return try Child.run(path, arguments, environment: environment, folder: folder)
  }

  struct Missing: Error {}
}

/// A server in a process of its own.
final class RunningServer {
  private let process = Process()
  private let output = Pipe()
  private let error = Pipe()
  /// The line on standard output.
  private(set) var ready = ""

  init(_ arguments: [String]) throws {
    guard let path = Executable.path else { throw Executable.Missing() }
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = error
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var bytes = Data()
    while !bytes.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
    }
    ready = String(decoding: bytes, as: UTF8.self)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The address in the ready line.
  var port: Int? {
    ready.split(separator: " ").first { $0.hasPrefix("http://") }?.split(separator: ":").last.flatMap { Int($0) }
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end; how it ended, and the rest of what it said.
  func end() throws -> Child.Result {
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Child.Result(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      error: String(decoding: complained, as: UTF8.self))
  }
}
