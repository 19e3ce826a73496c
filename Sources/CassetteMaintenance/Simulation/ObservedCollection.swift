internal import CassetteEngines
internal import CassetteHTTP
internal import Cassettes

/// A collection, with its recorded exchanges and the elements in them.
struct ObservedCollection {
  let path: String
  /// The exchanges with the collection and its elements, in recorded order.
  let exchanges: [ObservedExchange]
  /// The name of the member that contains an element's id.
  let id: String
  /// The name of the member that contains an element's URL.
  let link: String?

  /// Returns the paths of collections: an element was created there, or a list was read whose elements were read as
  /// well.
  static func paths(in exchanges: [ObservedExchange]) -> [String] {
    var steps: Set<String> = []
    for exchange in exchanges {
      if let step = exchange.step, exchange.answered?.isObject ?? true { steps.insert(step.above) }
    }
    var paths: [String] = []
    for exchange in exchanges where exchange.isSuccess && !paths.contains(exchange.path) {
      guard !exchange.path.contains("{") else { continue }
      let isMade = exchange.method == .post && makes(exchange, isReadBelow: steps.contains(exchange.path))
      let isListed = exchange.method == .get && exchange.answered.flatMap(list) != nil && steps.contains(exchange.path)
      if isMade || isListed { paths.append(exchange.path) }
    }
    return paths
  }

  /// Returns true if a `POST` created an element: the response contains the element or its location.
  private static func makes(_ exchange: ObservedExchange, isReadBelow: Bool) -> Bool {
    if let location = exchange.location { return ObservedExchange.name(in: location, below: exchange.path) != nil }
    guard let element = exchange.answered, case .object(let members) = element, exchange.sent?.isObject == true else {
      return false
    }
    let isNamed = ["id", "_id", "uuid"].contains { element[$0]?.scalar != nil }
    return isNamed && isReadBelow
      || members.contains { $0.value.string.flatMap { ObservedExchange.name(in: $0, below: exchange.path) } != nil }
  }

  /// The usual names of members that contain the elements of a list, for empty lists.
  private static let usualMembers = ["data", "items", "results", "elements", "content", "rows", "values", "records"]

  /// Returns the elements in the response to a list request, and the name of the member that contains them.
  static func list(_ answer: EditableJSON) -> (member: [UInt8]?, elements: [EditableJSON])? {
    func elements(_ value: EditableJSON) -> [EditableJSON]? {
      guard case .array(let elements) = value, elements.allSatisfy(\.isObject) else { return nil }
      return elements
    }
    if let elements = elements(answer) { return (nil, elements) }
    // An object with an id is an element, even if it contains lists.
    guard case .object(let members) = answer, answer["id"] == nil else { return nil }
    for member in members {
      guard let elements = elements(member.value) else { continue }
      if !elements.isEmpty || usualMembers.contains(String(decoding: member.name, as: UTF8.self)) {
        return (member.name, elements)
      }
    }
    return nil
  }

  init(_ path: String, in all: [ObservedExchange]) {
    self.path = path
    exchanges = all.filter { $0.path == path || $0.step?.above == path }
    var seen: [(name: String?, element: EditableJSON)] = []
    for exchange in exchanges where exchange.isSuccess {
      guard let answer = exchange.answered else { continue }
      if exchange.path != path {
        seen.append((exchange.step?.name, answer))
      } else if exchange.method == .post {
        seen.append((exchange.location.flatMap { ObservedExchange.name(in: $0, below: path) }, answer))
      } else if let list = Self.list(answer) {
        seen += list.elements.map { (nil, $0) }
      }
    }
    let link = Self.member(of: seen.map(\.element)) { value in
      value.string.map { ObservedExchange.name(in: $0, below: path) != nil } ?? false
    }
    self.link = link
    // The id is the member whose value equals the last step of the element's URL.
    let named = seen.compactMap { seen in
      (seen.name ?? link.flatMap { seen.element[$0]?.string }.flatMap { ObservedExchange.name(in: $0, below: path) })
        .map { (name: $0, element: seen.element) }
    }
    let usual = ["id", "_id", "uuid", "key", "slug", "name"]
    let candidates = usual + (Self.names(of: named.map(\.element)).filter { !usual.contains($0) })
    let isName = { (member: String) in
      !named.isEmpty && named.allSatisfy { $0.element[member]?.scalar == $0.name }
    }
    id = candidates.first(where: isName) ?? "id"
  }

  /// Returns the id of an element, from its member or from its URL.
  func name(of element: EditableJSON) -> String? {
    if let name = element[id]?.scalar, element[id]?.isNull == false { return name }
    return link.flatMap { element[$0]?.string }.flatMap { ObservedExchange.name(in: $0, below: path) }
  }

  /// Returns the first member that meets a condition in all elements that have it.
  private static func member(of elements: [EditableJSON], where isRight: (EditableJSON) -> Bool) -> String? {
    names(of: elements).first { name in
      let values = elements.compactMap { $0[name] }
      return !values.isEmpty && values.allSatisfy(isRight)
    }
  }

  /// Returns the names of all members, in the order of their first occurrence.
  static func names(of elements: [EditableJSON]) -> [String] {
    var names: [String] = []
    var known: Set<[UInt8]> = []
    for case .object(let members) in elements {
      for member in members where known.insert(member.name).inserted {
        names.append(String(decoding: member.name, as: UTF8.self))
      }
    }
    return names
  }

  // MARK: Exchanges by operation

  func exchanges(_ operation: ResourceDefinition.Operation) -> [ObservedExchange] {
    exchanges.filter { $0.method == operation.method && ($0.path == path) == operation.isOfCollection }
  }

  func successes(_ operation: ResourceDefinition.Operation) -> [ObservedExchange] {
    exchanges(operation).filter(\.isSuccess)
  }
}

/// A recorded exchange, reduced to the parts that describe a resource.
struct ObservedExchange {
  /// The index of the exchange in the recording.
  let number: Int
  let method: HTTPMethod
  /// The path in its encoded form, without a trailing slash.
  let path: String
  let query: [QueryItem]
  let status: Int
  let location: String?
  /// The bodies; nil if they are not JSON.
  let sent: EditableJSON?
  let answered: EditableJSON?

  /// Creates an observation of an exchange; fails if the exchange has no response or has its own rules for URLs.
  init?(_ interaction: Interaction, number: Int) {
    guard let response = interaction.response, !interaction.match.concernsTarget else { return nil }
    let parts = interaction.pathAndQuery.split(separator: "?", maxSplits: 1).map(String.init)
    let path = parts.first ?? "/"
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    query = QueryItem.parse(parts.count > 1 ? parts[1] : "")
    self.number = number
    method = interaction.method
    status = response.status.code
    location = response.headers["Location"]
    sent = (try? interaction.requestBody?.bytes()).flatMap { EditableJSON($0) }
    answered = (try? response.body?.bytes()).flatMap { EditableJSON($0) }
  }

  var isSuccess: Bool { (200...299).contains(status) }

  /// True if the request was refused because of its content.
  var isInvalid: Bool { status == 422 || status == 400 }

  /// The parent path, and the last step; nil for the root.
  var step: (above: String, name: String)? { Self.step(of: path) }

  static func step(of path: String) -> (above: String, name: String)? {
    guard path.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
    let name = String(path[path.index(after: slash)...])
    let above = slash == path.startIndex ? "/" : String(path[..<slash])
    return name.isEmpty ? nil : (above, PercentEncoding.decodeText(name.utf8))
  }

  /// Returns the last step of a URL whose parent is `path`, or nil for any other URL.
  static func name(in address: String, below path: String) -> String? {
    guard address.hasPrefix("/") || address.contains("://"),
      let step = step(of: RecordedTarget.pathAndQuery(of: address)), step.above == path
    else { return nil }
    return step.name
  }
}
