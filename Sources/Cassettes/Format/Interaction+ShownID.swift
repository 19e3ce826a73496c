internal import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem

extension Interaction {
  /// The id for display.
  ///
  /// If the id was derived from a path with a secret, it is derived from the masked path instead.
  package var shownID: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let masked = SecretNames.masked(url: String(path))
    guard masked != path else { return id }
    func derived(_ url: String) -> String {
      var ids = CassetteFileIDs(capacity: 1)
      let id = ids.derive(method: Array(method.rawValue.utf8).span, url: Array(url.utf8).span)
      return String(decoding: id, as: UTF8.self)
    }
    let own = derived(url)
    return id.hasPrefix(own) ? derived(masked) + id.dropFirst(own.count) : id
  }
}
