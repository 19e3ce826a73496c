// Follows every link of an API from ADDRESS/api/ with URLSession, and prints the number of answered URLs.
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Stray: Error { let what: String }

func links(_ value: Any) -> [String] {
  switch value {
  case let list as [Any]: list.flatMap(links)
  case let object as [String: Any]: object.values.flatMap(links)
  case let text as String: text.hasPrefix("http://") || text.hasPrefix("https://") ? [text] : []
  default: []
  }
}

let base = CommandLine.arguments[1]
var seen: Set = [base + "/api/"]
var waiting = Array(seen)
while let next = waiting.popLast() {
  guard let url = URL(string: next) else { throw Stray(what: next) }
  let (data, response) = try await URLSession.shared.data(from: url)
  guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Stray(what: "\(next): \(response)") }
  for link in links(try JSONSerialization.jsonObject(with: data)) {
    guard link.hasPrefix(base + "/") else { throw Stray(what: "\(link) leads outside of the mock server") }
    if seen.insert(link).inserted { waiting.append(link) }
  }
}
print(seen.count)
