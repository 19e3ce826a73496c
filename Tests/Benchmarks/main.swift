/// Measures the built `mockserver` from outside, beside nginx on the same machine in the same run.
///
///     apt-get install wrk nginx-light        (macOS: brew install wrk nginx)
///     swift build -c release --static-swift-stdlib --product mockserver
///     swift run -c release Benchmarks        (or: throughput, scale, load, start, idle, record; --help)
///
/// Nothing else should be running. Absolute figures drift by a fifth from one run to the next: quote ratios, and CPU
/// seconds per 100,000 requests. These are measurements and not tests: no figure fails anything.

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
