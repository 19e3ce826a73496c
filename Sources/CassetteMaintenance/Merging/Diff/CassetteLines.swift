internal import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// Converts a cassette to lines for `git diff`, with a heading for each interaction and bodies split at line breaks.
package enum CassetteLines {
  /// Returns the lines of a cassette, without recorded times, which differ in each recording.
  ///
  /// - Parameters:
  ///   - bytes: The cassette.
  ///   - name: The path of the file, for error messages.
  /// - Returns: The lines, each with a line break.
  /// - Throws: The first error in the cassette.
  package static func text(of bytes: [UInt8], name: String) throws(CassetteError) -> String {
    let cassette = try CassetteText(bytes, name: name)
    var lines: [String] = []
    for item in cassette.members.items where item.name != Array("interactions".utf8) {
      lines += "\(String(decoding: item.name, as: UTF8.self)): \(pretty(item.value))".components
    }
    for entry in cassette.entries {
      lines.append("")
      let outcome = EntryWords.outcome(of: entry.interaction)
      lines.append("# \(entry.interaction.shown) → \(outcome)  (\"\(entry.id)\")")
      for item in entry.members?.items ?? [] {
        let name = String(decoding: item.name, as: UTF8.self)
        if name == "id" || name == "recorded" { continue }
        lines += part(name, item)
      }
    }
    return lines.map { Printable.escaped($0) + "\n" }.joined()
  }

  private static func part(_ name: String, _ item: JSONTextList.Item) -> [String] {
    guard let parts = JSONTextList(item.value), let body = parts.member("body"),
      let text = JSONTextList(body.value)?.member("text")
    else { return "\(name): \(pretty(item.value))".components }
    var rest = parts
    rest.set("body", nil)
    let content = String(decoding: JSONTree.text(ofString: text.value), as: UTF8.self)
    return "\(name): \(pretty(rest.text[...]))".components + ["\(name) body:"] + content.components.map { "  \($0)" }
  }

  private static func pretty(_ value: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    let bytes = Array(value)
    JSONStyle.indent2.render(bytes.span, into: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

extension String {
  fileprivate var components: [String] { split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init) }
}
