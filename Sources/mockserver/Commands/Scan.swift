import CassetteFormats
import CassetteListing
import CassetteReporting
import Cassettes
import MockServerConsole
import MockServerOptions

/// `scan`: looks for secrets, for people and for hooks that run before a commit.
enum Scan {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let paths = try Paths.resolve(invocation.operands, hint: "")
    let scanner = LeakScanner(try invocation.redaction())
    let reports = try Reports(invocation)
    var report = FindingsReport(name: "scan")
    var files = 0
    var leaks = 0
    for path in paths {
      let isFolder = Folder.resolvedKind(of: path) == .folder
      for file in isFolder ? self.files(in: path) : [path] {
        files += 1
        let found: [Leak]
        do {
          found = try scanner.leaks(in: file)
        } catch {
          throw CommandError(.noInput, Printable.escaped("\(error)"))
        }
        leaks += found.count
        if !reports.isEmpty { report.cases.append(entry(file, found)) }
        Console.output.write(found.map { line(of: $0, Console.output.style) }.joined())
      }
    }
    try reports.write(report)
    Console.error.write(
      "mockserver: \(leaks == 0 ? "no secrets" : counted(leaks, "finding")) in \(counted(files, "file"))\n")
    return leaks == 0 ? .success : .found
  }

  /// Everything below a folder, `.env` as well, but for what tools put there for themselves.
  private static func files(in folder: String) -> [String] {
    Folder.files(in: folder, skipping: [".git", ".build", "node_modules"], hidden: true).files
      .map { Folder.join(folder, $0) }
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
