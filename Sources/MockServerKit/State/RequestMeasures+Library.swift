internal import CassetteHTTP
package import Cassettes

extension RequestMeasures {
  /// Measures the largest request of a library.
  package init(of library: CassetteLibrary) {
    self.init()
    for cassette in library.cassettes {
      var last: CassetteFileSource?
      for interaction in cassette.interactions {
        if let source = interaction.source {
          // The requests of a file were measured while it was read.
          if source !== last { include(source) }
          last = source
        } else {
          include(Self.measure(interaction))
        }
      }
      target += cassette.origin?.utf8.count ?? 0
    }
    for fixture in library.fixtures { target = max(target, fixture.url.utf8.count) }
  }

  private static func measure(_ interaction: Interaction) -> RequestMeasures {
    var measures = RequestMeasures()
    measures.target = length(of: interaction.url)
    for field in interaction.requestHeaders {
      measures.fieldBytes += field.name.utf8.count + length(of: field.value) + 4
      measures.fields += 1
    }
    // An unreadable body is reported when its recording is played.
    measures.body = (try? interaction.requestBody?.openLongFile()?.size ?? interaction.requestBody?.bytes().count) ?? 0
    if let rules = interaction.rules { measures.include(rules) }
    return measures
  }

  private mutating func include(_ source: CassetteFileSource) {
    include(source.requestMeasures)
    for rules in source.rules.values { include(rules) }
    for offset in source.requestFiles {
      body = max(body, (try? Body(source: source, offset: offset)?.openFile()?.size) ?? 0)
    }
  }

  /// Extends the measures to the strings that rules require.
  mutating func include(_ rules: InteractionRules) {
    guard !rules.match.isEmpty else { return }
    let length = RuleNotation.text(of: rules.match).count
    include(RequestMeasures(target: length, fieldBytes: length, body: length))
  }
}
