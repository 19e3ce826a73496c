internal import Cassettes

extension Playback {
  /// Stores the name that a template generated, or replaces recorded names by names that templates generated before.
  func link(_ played: inout PlayedResponse) {
    guard let templates = table.templates, templates.concerns(entry), let memory = session.memory else { return }
    var content: [UInt8]?
    if case .bytes(let bytes) = played.body { content = bytes }
    if let change = templates.link(entry, &played.headers, content: content, to: asked, handedOut, memory) {
      played.body.replace(change)
    }
  }
}
