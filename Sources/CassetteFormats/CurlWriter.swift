internal import CassetteSystem
package import Cassettes

/// Exports the requests of a cassette as curl commands.
package enum CurlWriter {
  /// Returns a shell script with a curl command for each request, preceded by a comment with the request's id.
  package static func bytes(of cassette: Cassette) throws(CassetteError) -> [UInt8] {
    var text = ""
    for interaction in cassette.interactions {
      let command = try CurlCommand(interaction, origin: cassette.origin ?? "http://127.0.0.1:8080")
      text += "# \(Printable.escaped(interaction.id))\n\(command.text(options: ["-i"]))\n"
    }
    return Array(text.utf8)
  }
}
