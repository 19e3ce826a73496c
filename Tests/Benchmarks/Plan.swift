import Foundation

/// What was asked for on the command line.
struct Plan {
  /// Why nothing can be measured.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    let code: Int32
  }

  static let parts = ["throughput", "scale", "load", "start", "idle"]

  var chosen: Set<String> = []
  var rounds = 5
  var seconds = 3
  var server: String
  let wrk: String
  let nginx: String

  init(_ arguments: [String]) throws(Failure) {
    server = "\(FileManager.default.currentDirectoryPath)/.build/release/mockserver"
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "-h", "--help":
        print("usage: Benchmarks [\(Self.parts.joined(separator: "|"))|all] [--rounds 5] [--seconds 3] [--server PATH]")
        exit(0)
      case "--rounds": rounds = try Self.number(rest.popFirst(), word)
      case "--seconds": seconds = try Self.number(rest.popFirst(), word)
      case "--server": server = rest.popFirst() ?? server
      case "all": chosen.formUnion(Self.parts)
      case _ where Self.parts.contains(word): chosen.insert(word)
      default: throw Failure(description: "unknown word \(word); see --help", code: 64)
      }
    }
    if chosen.isEmpty { chosen.formUnion(Self.parts) }
    guard let wrk = Self.find("wrk"), let nginx = Self.find("nginx") else {
      let hint = "wrk and nginx are needed: apt-get install wrk nginx-light, or brew install wrk nginx"
      throw Failure(description: hint, code: 69)
    }
    self.wrk = wrk
    self.nginx = nginx
    guard FileManager.default.isExecutableFile(atPath: server) else {
      let build = "swift build -c release --static-swift-stdlib --product mockserver"
      throw Failure(description: "there is no \(server); build it: \(build)", code: 69)
    }
  }

  func wants(_ part: String) -> Bool { chosen.contains(part) }

  private static func number(_ text: String?, _ option: String) throws(Failure) -> Int {
    guard let number = text.flatMap({ Int($0) }), number > 0 else {
      throw Failure(description: "\(option) wants a number above 0", code: 64)
    }
    return number
  }

  private static func find(_ program: String) -> String? {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin"
    return path.split(separator: ":").map { "\($0)/\(program)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
