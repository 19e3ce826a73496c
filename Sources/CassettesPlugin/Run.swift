import Foundation

/// Running other programs, and reading what they print.
enum Run {
  /// Runs a program that prints for itself, and returns its exit code.
  static func show(_ program: URL, _ arguments: [String]) throws -> Int32 {
    try lines(of: program, arguments) { print($0) }
  }

  /// Runs a program, takes what it prints line by line as it comes, on either output, and returns its exit code.
  ///
  /// Without an environment it has that of this process.
  static func lines(
    of program: URL, _ arguments: [String], environment: [String: String]? = nil, take: (String) -> Void
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let environment { process.environment = environment }
    // Nothing of it is asked for, and SwiftPM talks to this plugin through its input.
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    var rest = Data()
    while let data = try pipe.fileHandleForReading.read(upToCount: 1 << 16), !data.isEmpty {
      rest.append(data)
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        take(String(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[rest.index(after: end)...])
      }
    }
    if !rest.isEmpty { take(String(decoding: rest, as: UTF8.self)) }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
