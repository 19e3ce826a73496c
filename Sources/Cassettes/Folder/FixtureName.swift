package import CassetteHTTP
internal import CassetteSystem

/// The method, path and status in a fixture's file name: `articles.POST.201.json` answers `POST /articles` with 201.
package struct FixtureName: Equatable {
  package let method: HTTPMethod
  let status: HTTPStatus
  /// The paths that the file answers, the preferred one first; a name in braces matches any segment.
  package let paths: [String]
  let fileExtension: String

  /// Parses a path relative to the folder of fixtures.
  package init(relativePath: String) {
    var segments = relativePath.split(separator: "/").map(String.init)
    var parts = (segments.popLast() ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    // `articles.DELETE.204` is an empty file and needs no extension.
    let isPlain = parts.count == 1 || parts.last.map { Self.isStatus($0) || Self.methods.contains($0) } ?? true
    fileExtension = isPlain ? "" : parts.removeLast().lowercased()
    var status: HTTPStatus?
    var method: HTTPMethod?
    // The method and the status are parsed from the end, each at most once. The first word is always the name.
    while parts.count > 1, let last = parts.last {
      if status == nil, method == nil, Self.isStatus(last), let code = Int(last) {
        status = HTTPStatus(integerLiteral: code)
      } else if method == nil, Self.methods.contains(last) {
        method = HTTPMethod(rawValue: last)
      } else {
        break
      }
      parts.removeLast()
    }
    self.method = method ?? .get
    self.status = status ?? 200
    let name = parts.joined(separator: ".")
    let folder = segments.map { "/" + $0 }.joined()
    var paths: [String]
    if name == "index" {
      paths = folder.isEmpty ? ["/"] : [folder, folder + "/"]
    } else {
      paths = ["\(folder)/\(name)"]
    }
    // The unchanged file name is also a path: `robots.txt`, `logo.png`.
    if method == nil, status == nil, !fileExtension.isEmpty { paths.append("\(folder)/\(name).\(fileExtension)") }
    self.paths = paths.map { Self.escaped($0) }
  }

  /// The mistake in a word of the name that was probably meant as a method or a status; nil without such a word.
  ///
  /// The file then answers the path with the word, which no client requests.
  package var problem: String? {
    let words = paths[0].split(separator: "/").last?.split(separator: ".").dropFirst() ?? []
    for word in words.map(String.init) {
      if word.utf8.count == 3, Int(word) != nil { return "\(word) is not a status from 200 to 599" }
      let isShouted = word.utf8.count > 2 && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      if isShouted, let near = nearest(to: word, among: Self.methods.sorted()) {
        return "\(word) is not a method, did you mean \(near)?"
      }
    }
    return nil
  }

  private static func isStatus(_ word: String) -> Bool {
    word.utf8.count == 3 && Int(word).map { (200...599).contains($0) } ?? false
  }

  private static let methods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "REPORT", "SEARCH", "PURGE",
  ]

  /// Returns a path escaped as in a URL; braces are kept, because they make a template.
  private static func escaped(_ path: String) -> String { PercentEncoding.encode(path, keeping: kept) }

  private static let kept = ByteSet.word.adding("/-._~{}!$&'()*+,;=:@")
}
