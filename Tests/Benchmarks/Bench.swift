/// The programs, files, recordings and report shared by the benchmarks.
final class Bench {
  let options: Options
  let folder: String
  let starter: Starter
  let wrk: Wrk
  let report = Report()
  private var folders: [Int: String] = [:]

  init(_ options: Options) throws {
    self.options = options
    guard let wrk = System.find("wrk"), let nginx = System.find("nginx") else {
      let missing = ["wrk", "nginx"].filter { System.find($0) == nil }.joined(separator: " and ")
      throw MissingProgram(
        description: "\(missing) not found; apt-get install wrk nginx-light, or brew install wrk nginx")
    }
    let server = try Self.server(options)
    folder = try System.makeTemporaryFolder()
    Interruption.remember(folder)
    starter = Starter(mockserver: server, nginx: nginx, folder: folder, extra: options.serverArguments)
    self.wrk = Wrk(program: wrk, folder: folder, seconds: options.seconds)
    // The limit is raised before any server starts, because servers inherit it.
    _ = System.raiseDescriptorLimit()
    System.say("\(server) and \(nginx), on \(System.processors()) processors, \(options.rounds) rounds")
    let busyness = System.busyness()
    if busyness > 0.5 {
      System.say("note: load average \(busyness.fixed(1)); what else runs here makes these figures wander")
    }
    #if os(Linux)
      if System.refersToSharedSwift(server) {
        System.say("note: built without --static-swift-stdlib, which costs a millisecond at the start and some memory")
      }
    #endif
  }

  func run() throws {
    // Benchmarks that need an idle machine run before those that fill its memory.
    for benchmark in [Options.Benchmark.start, .idle, .throughput, .record, .load, .scale]
    where options.benchmarks.contains(benchmark) {
      switch benchmark {
      case .start: try start()
      case .idle: try idle()
      case .throughput: try throughput()
      case .record: try record()
      case .load: try load()
      case .scale: try scale()
      }
    }
    if let file = options.json { try report.write(to: file, options) }
  }

  /// Returns a folder with a number of recordings, which is written once.
  func recordings(_ count: Int) throws -> String {
    if let folder = folders[count] { return folder }
    let made = try Recordings.write(count, in: folder)
    folders[count] = made
    return made
  }

  /// Calls a closure with each item in every round.
  ///
  /// Every second round is in reverse order, so that no item is always measured after the same other item.
  func interleaved<Item>(_ items: [Item], rounds: Int? = nil, _ body: (Int, Item) throws -> Void) rethrows {
    let places = Array(items.indices)
    for round in 0..<(rounds ?? options.rounds) {
      for place in round % 2 == 0 ? places : places.reversed() { try body(place, items[place]) }
    }
  }

  private static func server(_ options: Options) throws -> String {
    if let server = options.server {
      if System.isExecutable(server) { return server }
      throw MissingProgram(description: "\(server) is not a program")
    }
    if System.isExecutable(".build/release/mockserver") { return ".build/release/mockserver" }
    throw MissingProgram(
      description: """
        no .build/release/mockserver here; in the package's folder:
          swift build -c release --static-swift-stdlib --product mockserver
        """)
  }
}
