internal import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

extension Playback {
  /// Stores the name that a template generated, and replaces recorded names by names that templates generated before.
  func link(_ played: inout PlayedResponse) {
    guard table.links.concerns(entry), let counters = session.counters else { return }
    if let link = table.links.all.first(where: { $0.source == entry }) {
      if case .bytes(let bytes) = played.body, let name = CreatedName.of(played.headers, bytes) {
        counters.handOut(HandedOutName(link, name))
      }
      return
    }
    // Names in the request take precedence over the latest generated ones; a client that uses the recorded name keeps
    // it.
    var names = handedOut
    for name in counters.names.reversed() where !names.contains(where: { $0.link.recorded == name.link.recorded }) {
      if !asked.target.text.contains(name.link.recorded) { names.append(name) }
    }
    for change in names.map(\.answered) {
      for field in ["Location", "Content-Location", "Link"] {
        played.headers = played.headers.replacing { $0.isNamed(field) ? change.field($0.value) : nil }
      }
      played.body.replace(change.content)
    }
  }
}
