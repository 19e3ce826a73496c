import Foundation

/// A process that a test starts, and what it said.
enum Child {
  struct Result {
    let status: Int32
    let output: String
    let error: String
  }

  static func run(
    _ path: String, _ arguments: [String], input: String? = nil, environment: [String: String]? = nil,
    folder: String? = nil
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let environment { process.environment = environment }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let (output, error, stdin) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    process.standardInput = stdin
    try process.run()
    // Small enough for a pipe, so that nobody waits for the other.
    if let input { try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try stdin.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      error: String(decoding: complained, as: UTF8.self))
  }
}
