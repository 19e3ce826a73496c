package import CassetteJSON

extension ControlClient {
  /// Merges the journals of several servers into one, with the server's name in each entry.
  package static func merged(journals: [(server: String, body: JSONValue)]) -> [UInt8] {
    var entries: [(at: String, server: String, entry: JSONValue)] = []
    for (server, body) in journals {
      for entry in body["entries"]?.elements ?? [] { entries.append((entry["at"]?.string ?? "", server, entry)) }
    }
    // Times are in UTC with a fixed length, so they sort as strings. Entries of one server stay in order.
    let order = entries.indices.sorted { (entries[$0].at, $0) < (entries[$1].at, $1) }
    return JSONWriter.object { report in
      report.member("requests", journals.reduce(0) { $0 + ($1.body["requests"]?.integer ?? 0) })
      report.member("forgotten", journals.reduce(0) { $0 + ($1.body["forgotten"]?.integer ?? 0) })
      report.member("servers", journals.map(\.server))
      report.array("entries", of: order) { index, object in
        object.member("server", entries[index].server)
        for (name, value) in entries[index].entry.members { object.member(name, json: value.bytes) }
      }
    }
  }
}
