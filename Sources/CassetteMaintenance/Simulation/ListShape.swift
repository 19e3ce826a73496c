internal import CassetteEngines
internal import CassetteHTTP

/// The pages, filters and order of a collection's list, derived from recorded exchanges.
struct ListShape {
  private static let pages = ["page", "_page", "p"]
  private static let sizes = ["per_page", "perPage", "page_size", "pageSize", "limit", "_limit", "size"]
  private static let sorts = ["sort", "_sort", "order_by", "orderBy", "ordering"]
  /// The placeholders for members around the elements, by their usual names.
  private static let meanings: [String: String] = [
    "page": "page", "current_page": "page", "currentPage": "page", "per_page": "size", "perPage": "size",
    "page_size": "size", "pageSize": "size", "limit": "size", "total": "total", "count": "total",
    "total_count": "total", "totalCount": "total", "total_pages": "pages", "totalPages": "pages", "pages": "pages",
    "next": "next", "previous": "previous", "prev": "previous",
  ]

  let collection: ObservedCollection

  /// The `list` member of a resource; nil if the list is a plain array of all elements.
  var definition: EditableJSON? {
    let lists = collection.successes(.list)
    var definition = EditableJSON.object([])
    let names = ObservedCollection.names(
      of: lists.flatMap { $0.answered.flatMap(ObservedCollection.list)?.elements ?? [] })
    let asked = Set(lists.flatMap(\.query).map(\.name))
    let page = Self.pages.first { asked.contains($0) }
    let size = Self.sizes.first { asked.contains($0) }
    if page != nil || size != nil || hasNext(lists) {
      definition["page"] = .string(page ?? "page")
      if let size { definition["size"] = .string(size) }
      let plain = lists.filter { list in !list.query.contains { $0.name == size } }
      let longest =
        (plain.isEmpty ? lists : plain).compactMap { $0.answered.flatMap(ObservedCollection.list) }
        .map(\.elements.count).max() ?? 0
      definition["perPage"] = .number(min(max(1, longest), 1_000))
    }
    let filters = names.filter { asked.contains($0) && $0 != page && $0 != size }
    if !filters.isEmpty { definition["filter"] = .array(filters.map { .string($0) }) }
    if let sort = Self.sorts.first(where: { asked.contains($0) && !names.contains($0) }) {
      definition["sort"] = .string(sort)
    }
    if let envelope = envelope(lists) { definition["envelope"] = envelope }
    if case .object(let members) = definition, members.isEmpty { return nil }
    return definition
  }

  private func hasNext(_ lists: [ObservedExchange]) -> Bool {
    lists.contains { list in
      guard let answer = list.answered else { return false }
      return answer["next"]?.string != nil
    }
  }

  private func envelope(_ lists: [ObservedExchange]) -> EditableJSON? {
    for list in lists {
      guard let answer = list.answered, case .object(let members) = answer,
        let found = ObservedCollection.list(answer)?.member
      else { continue }
      return .object(
        members.map { member in
          if member.name == found { return .init(member.name, .string("{{items}}")) }
          let meaning = Self.meanings[String(decoding: member.name, as: UTF8.self)]
          return .init(member.name, meaning.map { EditableJSON.string("{{\($0)}}") } ?? member.value)
        })
    }
    return nil
  }
}
