/// Compares the built `mockserver` with nginx on the same machine in the same run.
///
///     apt-get install wrk nginx-light        (macOS: brew install wrk nginx)
///     swift build -c release --static-swift-stdlib --product mockserver
///     swift run -c release Benchmarks        (or: throughput, scale, load, start, idle, record; --help)
///
/// Nothing else should be running. Absolute figures vary by a fifth between runs: quote ratios, and CPU seconds per
/// 100,000 requests. These are measurements and not tests: no figure causes a failure.

let options = Options.parse(Array(CommandLine.arguments.dropFirst()))
Interruption.watch()
do {
  try Bench(options).run()
  Interruption.tidyUp()
} catch let missing as MissingProgram {
  Interruption.tidyUp()
  System.end(complaining: missing.description, code: 69)
} catch {
  Interruption.tidyUp()
  System.end(complaining: "\(error)", code: 70)
}
