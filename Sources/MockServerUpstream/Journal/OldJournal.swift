import CassetteHTTP
import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// Converts journals of older versions (`mockserver journal 2`).
///
/// Their alias numbers start at a trillion, and redacted base64 is written as `{{secret:1000000000000:b,url;BASE64}}`.
/// The secrets get the next free numbers of the cassette.
struct OldJournal {
  private static let first = 1_000_000_000_000
  private static let mark = Array("{{secret:\(first):".utf8)
  private static let redacted = ".redacted"

  private var numbers: [Int: Int] = [:]
  private var taken: Set<Int>
  private var next = 1

  /// Returns the exchanges of an old journal in the current format.
  static func converted(
    _ exchanges: [Interaction], besides cassette: [UInt8]
  ) throws(CassetteError) -> [Interaction] {
    var journal = OldJournal(taken: Set(SecretAlias.numbers(in: cassette)))
    var converted: [Interaction] = []
    for exchange in exchanges {
      for part in try RecordingMerge.parts(of: exchange) {
        journal.taken.formUnion(SecretAlias.numbers(in: part.text).filter { $0 < first })
      }
    }
    for exchange in exchanges { converted.append(try journal.converted(exchange)) }
    return converted
  }

  private init(taken: Set<Int>) { self.taken = taken }

  private mutating func converted(_ exchange: Interaction) throws(CassetteError) -> Interaction {
    var result = exchange
    result.url = text(exchange.url)
    result.requestHeaders = fields(exchange.requestHeaders)
    result.requestBody = try body(exchange.requestBody)
    switch exchange.outcome {
    case .response(var response):
      response.reason = response.reason.map { text($0) }
      response.headers = fields(response.headers)
      response.trailers = fields(response.trailers)
      for index in response.interim.indices {
        response.interim[index].headers = fields(response.interim[index].headers)
      }
      response.body = try body(response.body)
      result.outcome = .response(response)
    case .failure(var failure):
      failure.name = text(failure.name)
      result.outcome = .failure(failure)
    }
    return result
  }

  private mutating func text(_ text: String) -> String { String(decoding: bytes(Array(text.utf8)), as: UTF8.self) }

  private mutating func fields(_ headers: HTTPHeaders) -> HTTPHeaders {
    var fields: [HTTPHeaders.Field] = []
    for field in headers { fields.append(HTTPHeaders.Field(name: field.name, value: text(field.value))) }
    return HTTPHeaders(fields: fields)
  }

  private mutating func body(_ body: Body?) throws(CassetteError) -> Body? {
    guard let body else { return nil }
    if let file = try body.openLongFile() { return try self.file(file, body) }
    guard case .chunks(let chunks, let end) = body.form else {
      let before = try body.bytes()
      let after = bytes(before)
      return after == before ? body : .storing(after)
    }
    var converted: [BodyChunk] = []
    for chunk in chunks { converted.append(BodyChunk(after: chunk.after, bytes: bytes(chunk.bytes))) }
    return .chunks(converted, end: end)
  }

  /// Writes a converted copy of a long body next to the original.
  private mutating func file(_ file: BodyFile, _ body: Body) throws(CassetteError) -> Body {
    guard let (folder, path) = body.lyingPlace, path.hasSuffix(Self.redacted) else { return body }
    let name = path + ".converted"
    unlink(Folder.join(folder, name))
    let descriptor: Int32
    do throws(FileFailure) {
      descriptor = try CassetteFileFolder(Folder.parent(of: Folder.join(folder, name)))
        .create(Folder.name(of: name), permissions: 0o600)
    } catch {
      throw CassetteError(error, of: path)
    }
    defer { FileBytes.close(descriptor) }
    var waiting: [UInt8] = []
    var failure: FileFailure?
    func write(upTo end: Int, _ journal: inout OldJournal) {
      let part = Array(waiting[..<end])
      waiting.removeFirst(end)
      do throws(FileFailure) { try FileBytes.write(journal.bytes(part), to: descriptor, path) } catch {
        failure = error
      }
    }
    var journal = self
    try file.eachPart { part in
      waiting += part
      write(upTo: JournalBody.end(ofWhole: waiting), &journal)
      return failure == nil
    }
    write(upTo: waiting.count, &journal)
    self = journal
    if let failure { throw CassetteError(failure, of: path) }
    return .lying(in: folder, at: name)
  }

  /// Parses the notation of an encoding: `url,padded,76.13.10`.
  private static func manner(_ notation: ArraySlice<UInt8>) -> RedactionBase64.Manner {
    let words = String(decoding: notation, as: UTF8.self).split(separator: ",").map { $0.split(separator: ".") }
    var manner = RedactionBase64.Manner()
    manner.isForURLs = words.contains(["url"])
    manner.isPadded = words.contains(["padded"])
    guard let last = words.last?.compactMap({ Int($0) }), let width = last.first, width > 0 else { return manner }
    manner.lines = (width, last.dropFirst().map { UInt8(truncatingIfNeeded: $0) })
    return manner
  }

  /// Returns bytes with converted alias numbers and restored base64.
  private mutating func bytes(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    while let start = text.firstIndex(of: Self.mark, from: at) {
      output += renumbered(Array(text[at..<start]))
      at = start + Self.mark.count
      guard let end = text.firstIndex(of: [0x7d, 0x7d], from: at),
        let middle = text[at..<end].firstIndex(of: UInt8(ascii: ";")),
        let content = RedactionBase64.decode(text[(middle + 1)..<end])
      else {
        output += Self.mark
        continue
      }
      let inner = bytes(content)
      output +=
        middle == at ? inner : RedactionBase64.encode(inner, Self.manner(text[at..<middle]))
      at = end + 2
    }
    return output + renumbered(Array(text[at...]))
  }

  private mutating func renumbered(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    SecretAlias.eachNumber(in: text) { digits, number in
      guard number > Self.first else { return }
      if numbers[number] == nil {
        while taken.contains(next) { next += 1 }
        numbers[number] = next
        taken.insert(next)
      }
      output += text[at..<digits.lowerBound]
      output += "\(numbers[number] ?? number)".utf8
      at = digits.upperBound
    }
    return at == 0 ? text : output + text[at...]
  }
}
