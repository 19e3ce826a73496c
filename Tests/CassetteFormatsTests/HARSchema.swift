import Foundation

/// The members of HAR 1.2 with their types, to validate exported files.
enum HARSchema {
  /// The types of members; `?` after a name marks an optional member.
  private static let objects: [String: [String: String]] = [
    "root": ["log": "log"],
    "log": [
      "version": "string", "creator": "creator", "browser?": "creator", "pages?": "[page]", "entries": "[entry]",
      "comment?": "string",
    ],
    "creator": ["name": "string", "version": "string", "comment?": "string"],
    "page": ["startedDateTime": "time", "id": "string", "title": "string", "pageTimings": "object"],
    "entry": [
      "pageref?": "string", "startedDateTime": "time", "time": "positive", "request": "request",
      "response": "response", "cache": "object", "timings": "timings", "serverIPAddress?": "string",
      "connection?": "string", "comment?": "string",
    ],
    "request": [
      "method": "string", "url": "uri", "httpVersion": "string", "cookies": "[cookie]", "headers": "[pair]",
      "queryString": "[pair]", "postData?": "postData", "headersSize": "integer", "bodySize": "integer",
      "comment?": "string",
    ],
    "response": [
      "status": "integer", "statusText": "string", "httpVersion": "string", "cookies": "[cookie]",
      "headers": "[pair]", "content": "content", "redirectURL": "string", "headersSize": "integer",
      "bodySize": "integer", "comment?": "string",
    ],
    "pair": ["name": "string", "value": "string", "comment?": "string"],
    "cookie": [
      "name": "string", "value": "string", "path?": "string", "domain?": "string", "expires?": "time",
      "httpOnly?": "boolean", "secure?": "boolean", "comment?": "string",
    ],
    "postData": ["mimeType": "string", "text?": "string", "params?": "[param]", "comment?": "string"],
    "param": [
      "name": "string", "value?": "string", "fileName?": "string", "contentType?": "string", "comment?": "string",
    ],
    "content": [
      "size": "integer", "compression?": "integer", "mimeType": "string", "text?": "string", "encoding?": "string",
      "comment?": "string",
    ],
    "timings": [
      "blocked?": "number", "dns?": "number", "connect?": "number", "send": "positive", "wait": "positive",
      "receive": "positive", "ssl?": "number", "comment?": "string",
    ],
  ]

  /// Returns the problems of a HAR, each with its path; empty if the HAR is valid.
  static func problems(_ text: [UInt8]) throws -> [String] {
    problems(try JSONSerialization.jsonObject(with: Data(text)), "root", "")
  }

  private static func problems(_ value: Any, _ type: String, _ way: String) -> [String] {
    if type.hasPrefix("[") {
      guard let list = value as? [Any] else { return ["\(way) is not a list"] }
      let element = String(type.dropFirst().dropLast())
      return list.enumerated().flatMap { problems($1, element, "\(way)[\($0)]") }
    }
    guard let members = objects[type] else {
      return isScalar(value, type) ? [] : ["\(way) is not of the type \(type): \(value)"]
    }
    guard let object = value as? [String: Any] else { return ["\(way) is not an object"] }
    var found: [String] = []
    for (key, type) in members {
      let name = key.hasSuffix("?") ? String(key.dropLast()) : key
      if let value = object[name] {
        found += problems(value, type, "\(way).\(name)")
      } else if name == key {
        found.append("\(way).\(name) is missing")
      }
    }
    // Other members must begin with an underscore.
    let known = Set(members.keys.map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 })
    found += object.keys.filter { !known.contains($0) && !$0.hasPrefix("_") }.map { "\(way).\($0) is unknown" }
    return found
  }

  private static func isScalar(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": return value is [String: Any]
    case "boolean": return value is Bool
    case "integer": return value is Int
    case "number": return value is Double
    case "positive": return (value as? Double).map { $0 >= 0 } ?? false
    case "string": return value is String
    case "time":
      return (value as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
    case "uri":
      // RFC 3986, restricted to the forms of HTTP and extended by the brackets that browsers send.
      return (value as? String)?
        .wholeMatch(
          of:
            #/https?://[^\s/?"<>\\^`{|}]+(/([A-Za-z0-9\-._~!$&'()*+,;=:@/\[\]]|%[0-9A-Fa-f]{2})*)?(\?([A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]]|%[0-9A-Fa-f]{2})*)?/#
        ) != nil
    default: return false
    }
  }
}
