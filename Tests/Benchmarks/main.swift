// Measures the built command from outside, beside nginx in the same run. Not a test: nothing here passes or fails.
//
//   swift build -c release --static-swift-stdlib --product mockserver
//   swift run -c release Benchmarks [throughput|scale|load|start|idle|all] [--rounds 5] [--seconds 3] [--server PATH]
//
// It needs wrk and nginx: `apt-get install wrk nginx-light`, or `brew install wrk nginx`. Figures of one machine mean
// little: quote the ratios. Everything listens on loopback, and only what was started here is ended.
import Foundation

signal(SIGPIPE, SIG_IGN)

let plan: Plan
do {
  plan = try Plan(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
  exit(error.code)
}
let folder = FileManager.default.temporaryDirectory.appending(path: "mockserver-benchmarks-\(getpid())")
defer { try? FileManager.default.removeItem(at: folder) }
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let bench = Bench(plan: plan, folder: folder)
  if plan.wants("throughput") { try bench.throughput() }
  if plan.wants("scale") { try bench.scale() }
  if plan.wants("load") { try bench.load() }
  if plan.wants("start") { try bench.start() }
  if plan.wants("idle") { try bench.idle() }
} catch {
  FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
  exit(1)
}
