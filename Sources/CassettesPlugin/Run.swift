import Foundation

/// Runs other programs and reads their output.
enum Run {
  /// Runs a program and returns its exit code.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: The arguments of the program.
  ///   - environment: The environment of the program; nil (the default) for that of this process.
  ///   - take: A function that is called with each line of standard output and standard error as it arrives.
  /// - Returns: The exit code.
  /// - Throws: An error if the program cannot be started.
  static func lines(
    of program: URL, _ arguments: [String], environment: [String: String]? = nil, take: (String) -> Void
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    if let environment { process.environment = environment }
    // The program must not read the plugin's input, through which SwiftPM communicates with the plugin.
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
