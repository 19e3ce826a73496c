/// The benchmarks to run, their number of rounds, and the server to measure.
struct Options {
  /// A benchmark.
  enum Benchmark: String, CaseIterable {
    case throughput
    case scale
    case load
    case start
    case idle
    case record
  }

  var benchmarks = Set(Benchmark.allCases)
  var rounds = 5
  var seconds = 5
  var connections = 10_000
  var server: String?
  var cassettes = "cassettes"
  var json: String?
  var serverArguments: [String] = []

  static let help = """
    Usage: Benchmarks [throughput|scale|load|start|idle|record|all]... [OPTIONS] [-- OPTIONS OF MOCKSERVER]

    Compares the built mockserver with nginx in the same run. Needs wrk and nginx:
      apt-get install wrk nginx-light   or   brew install wrk nginx

      throughput   requests a second and CPU for a 1 KB recording, 1 to 256 connections; both event loops, with a log
      scale        the same with 10, 10,000 and 100,000 recordings
      load         exec to first answer with no, 10,000 and 100,000 recordings
      start        exec to first answer with the cassettes of this package
      idle         memory, CPU and latency with many idle connections
      record       requests a second through a recorder, and through nginx as a reverse proxy

      --rounds N        number of measurements, contenders in turn (5)
      --seconds N       duration of one run of wrk, and of the idle time (5)
      --connections N   number of idle connections (10000)
      --server PATH     the command to measure (.build/release/mockserver)
      --cassettes DIR   the folder that `start` serves (cassettes)
      --json FILE       also write every figure to a file
      --help            this
    """

  /// Parses the arguments.
  ///
  /// Ends the program for `--help` and for invalid arguments.
  static func parse(_ arguments: [String]) -> Options {
    var options = Options()
    var named: Set<Benchmark> = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h":
        System.say(help)
        System.end(code: 0)
      case "--":
        options.serverArguments = Array(rest)
        rest = []
      case "all":
        named = Set(Benchmark.allCases)
      case "--rounds": options.rounds = number(after: argument, &rest)
      case "--seconds": options.seconds = number(after: argument, &rest)
      case "--connections": options.connections = number(after: argument, &rest)
      case "--server": options.server = value(after: argument, &rest)
      case "--cassettes": options.cassettes = value(after: argument, &rest)
      case "--json": options.json = value(after: argument, &rest)
      default:
        guard let benchmark = Benchmark(rawValue: argument) else {
          System.end(complaining: "'\(argument)' is neither a benchmark nor an option; see --help", code: 64)
        }
        named.insert(benchmark)
      }
    }
    if !named.isEmpty { options.benchmarks = named }
    return options
  }

  private static func value(after option: String, _ rest: inout ArraySlice<String>) -> String {
    guard let value = rest.popFirst() else {
      System.end(complaining: "\(option) needs a value; see --help", code: 64)
    }
    return value
  }

  private static func number(after option: String, _ rest: inout ArraySlice<String>) -> Int {
    let text = value(after: option, &rest)
    guard let number = Int(text), (1...1_000_000).contains(number) else {
      System.end(complaining: "\(option) needs a number above 0, not '\(text)'", code: 64)
    }
    return number
  }
}
