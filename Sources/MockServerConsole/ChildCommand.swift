internal import CassetteSystem

/// Runs other programs and waits for their exit.
package enum ChildCommand {
  /// Runs a program found in the `PATH`.
  ///
  /// - Parameters:
  ///   - words: The name of the program and its arguments.
  ///   - takesErrors: True to include standard error in the output. The default is false.
  /// - Returns: The exit code, and the output without its final newlines.
  /// - Throws: An error if the program cannot be started.
  package static func run(_ words: [String], takesErrors: Bool = false) throws(CommandError) -> (
    status: Int32, output: String
  ) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CommandError(.internalError, "cannot create a pipe") }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    if takesErrors { posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child: pid_t = 0
    let failure = posix_spawnp(&child, words[0], &actions, nil, arguments, environ)
    systemClose(ends[1])
    defer { systemClose(ends[0]) }
    guard failure == 0 else {
      throw CommandError(.noInput, "\(words[0]) cannot be run: \(String(cString: strerror(failure)))")
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = buffer.withUnsafeMutableBytes { systemRead(ends[0], $0.baseAddress, $0.count) }
      if count > 0 { output += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    while output.last == 0x0a { output.removeLast() }
    // A process that a signal ended has no exit code, so the code is 128 plus the signal, as in a shell.
    return (status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, String(decoding: output, as: UTF8.self))
  }
}
