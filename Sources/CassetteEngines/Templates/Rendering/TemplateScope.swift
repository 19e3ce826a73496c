internal import CassetteHTTP
internal import CassetteJSON
import CassettePatterns
internal import CassetteSystem
internal import Cassettes

/// The values that a template's expressions read during rendering.
///
/// Each part of the request is parsed at most once.
struct TemplateScope {
  /// The current item of an enclosing loop.
  struct Item {
    var value: TemplateValue
    var index: Int
    var count: Int
    var key: String?
    var name: String?
    var indexName: String?
  }

  var context: TemplateContext
  var items: [Item] = []
  var budget = TemplateBudget()
  /// The step budget for JSON path queries.
  private var matching = MatchingBudget()
  private lazy var query = QueryItem.parse(context.request.target.query ?? "")
  private lazy var form = QueryItem.parse(context.request.body)
  private lazy var pathNames = context.pathNames()
  private lazy var parts: TemplateValue = MultipartText.json(of: context.request).map { .json($0) } ?? .absent
  private lazy var json = JSONTree(context.request.body)

  init(_ context: TemplateContext) { self.context = context }

  mutating func value(of path: TemplatePath) -> TemplateValue {
    switch path.root {
    case .path: return pathValue(path)
    case .query: return named(query, path)
    case .form: return named(form, path)
    case .parts: return steps(Self.lowercasingField(path.steps)[...], from: parts)
    case .header: return several(context.request.headers.values(of: first(path)), path)
    case .cookie: return several(cookies(first(path)), path)
    case .body: return body(path)
    case .state: return context.state(path.steps.map(\.text).joined(separator: ".")).map { .text($0) } ?? .absent
    case .method: return .text(context.request.method.rawValue)
    case .url:
      // Requests through a proxy, and requests from a URLSession, have an absolute URL as their target.
      let target = context.request.target
      guard target.authority != nil, target.scheme != nil else { return .text(target.text) }
      return .text(target.query.map { "\(target.path)?\($0)" } ?? target.path)
    case .base: return .text(context.base)
    case .host: return .text(String(context.base.split(separator: "/").last ?? ""))
    case .session: return .text(context.session)
    case .item(let up):
      guard items.indices.contains(items.count - 1 - up) else { return .absent }
      return steps(path.steps[...], from: items[items.count - 1 - up].value)
    case .variable(let name):
      guard let item = items.last(where: { $0.name == name || $0.indexName == name }) else { return .absent }
      if item.name != name { return item.key.map { .text($0) } ?? .integer(item.index) }
      return steps(path.steps[...], from: item.value)
    case .index: return items.last.map { .integer($0.index) } ?? .absent
    case .first: return .bool(items.last?.index == 0)
    case .last: return .bool(items.last.map { $0.index == $0.count - 1 } ?? false)
    case .key: return items.last?.key.map { .text($0) } ?? items.last.map { .integer($0.index) } ?? .absent
    }
  }

  private func steps(_ steps: ArraySlice<TemplatePath.Step>, from value: TemplateValue) -> TemplateValue {
    steps.reduce(value) { value, step in
      switch step {
      case .member(let name): value.member(name)
      case .element(let index): value.element(index)
      }
    }
  }

  /// Returns the path `parts.NAME.headers.Content-Type` with the field name in lowercase, as fields are stored.
  private static func lowercasingField(_ steps: [TemplatePath.Step]) -> [TemplatePath.Step] {
    guard steps.count > 2, steps[1].text == "headers", case .member(let name) = steps[2] else { return steps }
    var steps = steps
    steps[2] = .member(name.lowercased())
    return steps
  }

  private func first(_ path: TemplatePath) -> String { path.steps.first?.text ?? "" }

  private func several(_ values: [String], _ path: TemplatePath) -> TemplateValue {
    let value: TemplateValue = values.isEmpty ? .absent : values.count == 1 ? .text(values[0]) : .several(values)
    return steps(path.steps.dropFirst(), from: value)
  }

  private func named(_ items: [QueryItem], _ path: TemplatePath) -> TemplateValue {
    let name = first(path)
    return several(items.filter { $0.name == name }.map { $0.value ?? "" }, path)
  }

  private func cookies(_ name: String) -> [String] {
    context.request.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let pair = pair.drop { $0 == " " }
      guard pair.prefix(while: { $0 != "=" }) == name else { return nil }
      return String(pair.dropFirst(name.count + 1))
    }
  }

  private mutating func pathValue(_ path: TemplatePath) -> TemplateValue {
    let raw = context.request.target.path
    switch path.steps.first {
    case nil: return .text(raw)
    case .element(let index)?:
      // A route may use a number as the name of a path segment.
      if let value = pathNames[String(index)] { return .text(PercentEncoding.decodeText(value.utf8)) }
      let segments = raw.split(separator: "/", omittingEmptySubsequences: true)
      guard segments.indices.contains(index) else { return .absent }
      return .text(PercentEncoding.decodeText(segments[index].utf8))
    case .member(let name)?:
      return pathNames[name].map { .text(PercentEncoding.decodeText($0.utf8)) } ?? .absent
    }
  }

  private mutating func body(_ path: TemplatePath) -> TemplateValue {
    let bytes = context.request.body
    if bytes.isEmpty { return .absent }
    guard path.place != nil || Self.looksLikeJSON(bytes) || isJSON, let tree = json else {
      return path.place == nil ? .text(String(decoding: bytes, as: UTF8.self)) : .absent
    }
    guard let place = path.place else { return TemplateValue(tree.root, in: tree) }
    guard let nodes = place.nodes(in: tree, &matching) else { return .absent }
    if place.isSingular { return nodes.first.map { TemplateValue($0, in: tree) } ?? .absent }
    return .list(nodes.map { TemplateValue($0, in: tree) })
  }

  private var isJSON: Bool { context.request.headers.mediaType?.isJSON ?? false }

  private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// The limits on the work for one response, and on its size.
struct TemplateBudget {
  /// The remaining steps.
  ///
  /// An expression, a loop iteration, and 256 bytes of processed text cost one step each.
  private var steps = 200_000
  /// The maximum size of a response, and of an intermediate string, in bytes.
  static let longest = 8 << 20

  mutating func spend(_ bytes: Int = 0) throws(TemplateError) {
    guard bytes <= Self.longest else { throw .tooLong }
    steps -= 1 + bytes >> 8
    guard steps > 0 else { throw TemplateError("the template takes too many steps", at: 0) }
  }
}

/// Evaluates expressions.
extension TemplateScope {
  mutating func value(of expression: TemplateExpression) throws(TemplateError) -> TemplateValue {
    try budget.spend()
    switch expression {
    case .literal(let value): return value
    case .range(let range): return .list(try whole(range.lower, range.upper))
    case .path(let path):
      let value = value(of: path)
      try budget.spend(value.size)
      return value
    case .defaulted(let first, let second):
      let value = try value(of: first)
      return value.isAbsent ? try self.value(of: second) : value
    case .call(let call):
      let value = try value(of: call)
      try budget.spend(value.size)
      return value
    }
  }

  private mutating func whole(_ lower: Double, _ upper: Double) throws(TemplateError) -> [TemplateValue] {
    guard let first = Int(exactly: lower.rounded(.up)), let last = Int(exactly: upper.rounded(.down)), first <= last
    else { return [] }
    let (count, isTooMany) = last.subtractingReportingOverflow(first)
    guard !isTooMany, count < 100_000 else { throw TemplateError("the template takes too many steps", at: 0) }
    try budget.spend(count << 6)
    return (first...last).map { .integer($0) }
  }

  private mutating func value(of call: TemplateCall) throws(TemplateError) -> TemplateValue {
    // These helpers do not evaluate all of their arguments.
    switch call.helper {
    case .random: return try random(call)
    case .and, .or:
      var value = TemplateValue.absent
      for argument in call.arguments {
        value = try self.value(of: argument)
        if value.isTrue == (call.helper == .or) { return value }
      }
      return value
    default: break
    }
    var arguments: [TemplateValue] = []
    for argument in call.arguments { arguments.append(try value(of: argument)) }
    var named: [String: TemplateValue] = [:]
    for argument in call.named { named[argument.name] = try value(of: argument.value) }
    switch call.helper {
    case .now, .date: return time(call, arguments, named)
    case .uuid: return .text(Self.uuid(&context.random))
    case .fake:
      let kind = TemplateFake.Kind(rawValue: arguments[0].text)
      return kind.map { TemplateFake.value($0, &context.random) } ?? .absent
    case .counter:
      let number = context.count(arguments[0].text, Self.integer(named["start"]) ?? 1, Self.integer(named["step"]) ?? 1)
      guard let number else { throw TemplateError("the template uses too many counters", at: call.offset) }
      return .integer(number)
    case .jwt: return .text(jwt(call, named))
    case .base64, .sha256:
      let bytes = isBody(call.arguments[0]) ? context.request.body : Array(arguments[0].text.utf8)
      return call.helper == .base64 ? Self.base64(bytes, named) : Self.sha256(bytes, named)
    case .range:
      let numbers = arguments.map { $0.number ?? 0 }
      return .list(try numbers.count == 1 ? whole(1, numbers[0]) : whole(numbers[0], numbers[1]))
    default: return try plain(call.helper, arguments)
    }
  }

  // MARK: Chance

  private mutating func random(_ call: TemplateCall) throws(TemplateError) -> TemplateValue {
    if let length = call.named.first(where: { $0.name == "length" }) {
      let count = min(max(0, Self.integer(try value(of: length.value)) ?? 0), 65_536)
      var kind = "alphanumeric"
      if let named = call.named.first(where: { $0.name == "of" }) { kind = try value(of: named.value).text }
      try budget.spend(count * 4)
      let letters = Array(Self.alphabets[kind] ?? kind)
      guard !letters.isEmpty else { return .text("") }
      return .text(String((0..<count).map { _ in letters[context.random.below(letters.count)] }))
    }
    if call.arguments.isEmpty { return .decimal(context.random.fraction()) }
    if call.arguments.count == 1, case .range(let range) = call.arguments[0] { return number(in: range) }
    var choices: [TemplateValue] = []
    for argument in call.arguments { choices.append(try value(of: argument)) }
    // A single argument is a list to choose from; several arguments are the choices themselves.
    if choices.count == 1 { choices = choices[0].items.map(\.value) }
    return choices.isEmpty ? .absent : choices[context.random.below(choices.count)]
  }

  private mutating func number(in range: TemplateRange) -> TemplateValue {
    let scale = pow(10, Double(range.decimals))
    let steps = ((range.upper - range.lower) * scale).rounded() + 1
    guard steps < 9e15 else {
      return TemplateValue((range.lower + context.random.fraction() * (range.upper - range.lower)).rounded())
    }
    let step = Double(context.random.next() % UInt64(max(1, steps)))
    return TemplateValue(((range.lower * scale).rounded() + step) / scale)
  }

  private static let alphabets: [String: String] = {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    return [
      "alphanumeric": letters + "0123456789", "letters": letters, "digits": "0123456789", "hex": "0123456789abcdef",
      "upper": letters.uppercased(),
    ]
  }()

  /// Returns a random UUID, version 4 (RFC 9562 §5.4).
  static func uuid(_ random: inout SeededRandom) -> String {
    var bytes = [random.next(), random.next()].flatMap { word in
      stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text += Hexadecimal.digits(of: byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Time

  private func time(
    _ call: TemplateCall, _ arguments: [TemplateValue], _ named: [String: TemplateValue]
  ) -> TemplateValue {
    var moment = context.now
    var format = "iso8601"
    if call.helper == .now {
      if let text = arguments.first?.text { format = text }
    } else {
      guard let parsed = TemplateTime.nanoseconds(of: arguments[0]) else { return .absent }
      moment = parsed
      if arguments.count > 1 { format = arguments[1].text }
    }
    if let offset = named["offset"] {
      let seconds = TemplateTimeFormat.seconds(ofOffset: offset.text) ?? 0
      // Offsets have a resolution of one millisecond. The sum saturates at the range of 64 bits.
      moment = moment.addingReportingOverflow(Int(seconds * 1000) &* 1_000_000).partialValue
      if abs(seconds) > 9e9 { moment = seconds > 0 ? .max : .min }
    }
    return TemplateTimeFormat.value(
      moment, format, zone: named["zone"].flatMap { TemplateTimeFormat.zone($0.text) } ?? 0)
  }

  // MARK: Tokens

  /// Returns a JSON Web Token (RFC 7519), unsigned or signed with HMAC SHA-256.
  ///
  /// `exp`, `nbf` and `iat` accept offsets such as `+1h`.
  private func jwt(_ call: TemplateCall, _ named: [String: TemplateValue]) -> String {
    let secret = named["secret"]?.text
    var head = JSONWriter()
    head.object { writer in
      writer.member("alg", secret == nil ? "none" : "HS256")
      writer.member("typ", "JWT")
    }
    var claims = JSONWriter()
    claims.object { writer in
      for name in call.named.map(\.name) where name != "secret" {
        var value = named[name] ?? .absent
        if ["exp", "nbf", "iat"].contains(name), case .text(let text) = value,
          let offset = TemplateTimeFormat.seconds(ofOffset: text)
        {
          value = .integer(context.now.quotient(by: 1_000_000_000) + Int(offset))
        }
        writer.member(name, json: value.json)
      }
    }
    let signed = "\(Base64URL.text(of: head.bytes)).\(Base64URL.text(of: claims.bytes))"
    guard let secret else { return "\(signed)." }
    return "\(signed).\(Base64URL.text(of: SHA256.code(of: Array(signed.utf8), key: Array(secret.utf8))))"
  }

  /// Returns true for `body` and `(string body)`, whose bytes may not be text.
  private func isBody(_ expression: TemplateExpression) -> Bool {
    switch expression {
    case .path(let path): path.root == .body && path.place == nil && path.steps.isEmpty
    case .call(let call): call.helper == .string && call.arguments.count == 1 && isBody(call.arguments[0])
    default: false
    }
  }

  private static func base64(_ bytes: [UInt8], _ named: [String: TemplateValue]) -> TemplateValue {
    guard named["decode"]?.isTrue != true else {
      return Base64URL.bytes(of: bytes).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .absent
    }
    if named["url"]?.isTrue == true { return .text(Base64URL.text(of: bytes)) }
    return .text(BodyBase64.text(of: bytes))
  }

  private static func sha256(_ bytes: [UInt8], _ named: [String: TemplateValue]) -> TemplateValue {
    let digest = named["key"].map { SHA256.code(of: bytes, key: Array($0.text.utf8)) } ?? SHA256.digest(bytes)
    if named["as"]?.text == "base64" { return .text(BodyBase64.text(of: digest)) }
    return .text(String(decoding: digest.flatMap { Hexadecimal.digits(of: $0) }, as: UTF8.self))
  }

  static func integer(_ value: TemplateValue?) -> Int? { value?.number.flatMap { Int(exactly: $0.rounded()) } }

  // MARK: Renders the nodes of a template

  mutating func render(_ nodes: [TemplateNode], into writer: inout TemplateWriter) throws(TemplateError) {
    for node in nodes {
      switch node {
      case .literal(let bytes): writer.append(literal: bytes)
      case .value(let expression, let isRaw):
        let value = try value(of: expression)
        writer.append(value, isRaw: isRaw, isAddress: Self.isAddress(expression))
      case .block(let block):
        try eachTurn(of: block.head) { (scope, isMet) throws(TemplateError) in
          try scope.render(isMet ? block.body : block.otherwise, into: &writer)
        }
      }
      guard writer.bytes.count <= TemplateBudget.longest else { throw .tooLong }
    }
    try budget.spend(writer.bytes.count >> 4)
  }

  private static func isAddress(_ expression: TemplateExpression) -> Bool {
    switch expression {
    case .path(let path): path.root == .base || path.root == .url
    case .defaulted(let first, _): isAddress(first)
    case .literal, .range, .call: false
    }
  }

  /// Calls `use` for each time that the body of a block is rendered, or once with `isMet` false to render the `else`
  /// part.
  mutating func eachTurn(
    of head: TemplateBlockHead, _ use: (inout TemplateScope, _ isMet: Bool) throws(TemplateError) -> Void
  ) throws(TemplateError) {
    let subject = try value(of: head.subject)
    switch head.kind {
    case .if: try use(&self, subject.isTrue)
    case .unless: try use(&self, !subject.isTrue)
    case .with:
      guard !subject.isAbsent else { return try use(&self, false) }
      items.append(Item(value: subject, index: 0, count: 1, key: nil, name: head.name, indexName: head.indexName))
      defer { items.removeLast() }
      try use(&self, true)
    case .each:
      let values = subject.items
      guard !values.isEmpty else { return try use(&self, false) }
      for (index, item) in values.enumerated() {
        try budget.spend(item.value.size)
        items.append(
          Item(
            value: item.value, index: index, count: values.count, key: item.key, name: head.name,
            indexName: head.indexName))
        defer { items.removeLast() }
        try use(&self, true)
      }
    }
  }
}
