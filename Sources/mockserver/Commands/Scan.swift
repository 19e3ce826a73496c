import CassetteFormats
import CassetteMaintenance
import Cassettes
import MockServerConsole

/// The command `scan`, which searches files for secrets, for users and pre-commit hooks.
enum Scan {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(invocation.operands, hint: "")
    let scanner = LeakScanner(try invocation.redaction())
    let reports = try Reports(invocation)
    var report = FindingsReport(name: "scan")
    var files = 0
    var (leaks, opaque) = (0, 0)
    // All files below a folder are scanned, including hidden ones such as `.env`, except for folders that tools
    // generate.
    for (file, _) in Paths.files(in: paths, skipping: [".git", ".build", "node_modules"], hidden: true) {
      files += 1
      let found = try CommandError.using { () throws(CassetteError) in try scanner.leaks(in: file) }
      leaks += found.count
      opaque += found.count(where: \.isOpaque)
      if !reports.isEmpty { report.cases.append(entry(file, found)) }
      Console.output.write(found.map { line(of: $0, Console.output.style) }.joined())
    }
    try reports.write(report)
    Console.error.write(
      "mockserver: \(leaks == 0 ? "no secrets" : counted(leaks, "finding")) in \(counted(files, "file"))\n")
    if opaque > 0 {
      Console.error.write("mockserver: --keep-opaque accepts content that cannot be searched (\(opaque))\n")
    }
    if leaks > opaque {
      Console.error.write(
        "mockserver: record or import the file again to remove a secret; --keep PLACE accepts a value that is not a "
          + "secret\n")
    }
    return leaks == 0 ? .success : .found
  }

  private static func entry(_ file: String, _ leaks: [Leak]) -> FindingsReport.Case {
    FindingsReport.Case(
      group: "scan", name: file,
      findings: leaks.map { leak in
        let rule = leak.isOpaque ? "opaque" : "secret"
        return FindingsReport.Finding(.error, rule: rule, "\(rule): \(leak.what)", file: file, line: leak.line)
      })
  }

  static func line(of leak: Leak, _ style: Style) -> String {
    "\(Printable.escaped(leak.file)):\(leak.line): \(style.red(leak.isOpaque ? "opaque:" : "secret:")) \(Printable.escaped(leak.what))\n"
  }
}
