import Foundation

/// A server that is measured: its process, its children, where it listens.
final class Contender {
  let name: String
  let port: Int
  private let process = Process()

  init(name: String, port: Int, program: String, arguments: [String]) throws {
    self.name = name
    self.port = port
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// Ends it and waits until it has.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Waits until a request is answered: the time from exec to the first byte, in milliseconds.
  func firstAnswer(since start: ContinuousClock.Instant, path: String) throws -> Double {
    let deadline = start + .seconds(60)
    while ContinuousClock.now < deadline {
      if let connection = Connection(port: port), connection.ask(path) {
        return (ContinuousClock.now - start).milliseconds
      }
      usleep(200)
    }
    throw Plan.Failure(description: "\(name) did not answer on port \(port)", code: 1)
  }

  /// The process and its children: nginx answers in workers.
  private var processes: [Int32] {
    let own = process.processIdentifier
    let path = "/proc/\(own)/task/\(own)/children"
    let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return [own] + children.split(separator: " ").compactMap { Int32($0) }
  }

  /// Seconds of processor time taken so far, as user and in the kernel.
  var processorSeconds: Double {
    processes.reduce(0) { sum, number in
      guard let stat = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { return sum }
      let fields = stat[end...].split(separator: " ")
      return sum + (Double(fields[12]) ?? 0) / 100 + (Double(fields[13]) ?? 0) / 100
    }
  }

  /// Memory in use, in KB, of the process that answers: the largest.
  var residentKilobytes: Int {
    processes.map { number in
      let status = (try? String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }.max() ?? 0
  }
}

extension Duration {
  var milliseconds: Double {
    Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
  }
}

extension [Double] {
  var median: Double {
    let sorted = sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }
}
