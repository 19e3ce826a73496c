#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// All measurements in a machine-readable form.
final class Report {
  /// The measurements of one figure of a contender in one case.
  struct Figure: Encodable {
    var benchmark: String
    var situation: String
    var contender: String
    var quantity: String
    var unit: String
    var median: Double
    var values: [Double]
  }

  private struct Page: Encodable {
    var processors: Int
    var rounds: Int
    var seconds: Int
    var figures: [Figure]
  }

  private var figures: [Figure] = []

  func note(
    _ benchmark: Options.Benchmark, _ situation: String, _ contender: String, _ quantity: String, _ unit: String,
    _ values: [Double]
  ) {
    figures.append(
      Figure(
        benchmark: benchmark.rawValue, situation: situation, contender: contender, quantity: quantity, unit: unit,
        median: values.median, values: values))
  }

  func write(to file: String, _ options: Options) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let page = Page(
      processors: System.processors(), rounds: options.rounds, seconds: options.seconds, figures: figures)
    try System.write(Array(encoder.encode(page)) + [UInt8(ascii: "\n")], to: file)
  }
}

/// A table for the console.
struct Table {
  private var rows: [[String]]

  init(_ titles: [String]) { rows = [titles] }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// Writes the table, with the first column aligned to the left and figures to the right.
  func show() {
    let widths = rows.reduce(into: [Int]()) { widths, row in
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    for row in rows {
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + space : space + cell
      }
      System.say("  " + cells.joined(separator: "  "))
    }
  }
}

extension [Double] {
  /// The median, or 0 if there are no values.
  var median: Double {
    let sorted = sorted()
    guard !isEmpty else { return 0 }
    return count % 2 == 1 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2
  }

  /// Divides each value by the other contender's value of the same round.
  func divided(by others: [Double]) -> [Double] { zip(self, others).map { $1 == 0 ? 0 : $0 / $1 } }

  /// The median with the range: `1.21 (1.18–1.25)`.
  func spread(_ digits: Int = 2) -> String {
    "\(median.fixed(digits)) (\((self.min() ?? 0).fixed(digits))–\((self.max() ?? 0).fixed(digits)))"
  }
}

extension Double {
  /// Formats a number with a number of decimal places and commas between thousands.
  func fixed(_ digits: Int) -> String {
    var factor = 1.0
    for _ in 0..<digits { factor *= 10 }
    let scaled = (magnitude * factor).rounded()
    guard scaled < 1e15 else { return "\(self)" }
    var whole = "\(Int(scaled / factor))"
    var place = whole.count - 3
    while place > 0 {
      whole.insert(",", at: whole.index(whole.startIndex, offsetBy: place))
      place -= 3
    }
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + whole }
    let fraction = "\(Int(scaled.truncatingRemainder(dividingBy: factor)))"
    return sign + whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// A number of bytes in megabytes.
  var megabytes: String { (self / 1_048_576).fixed(1) }
}
