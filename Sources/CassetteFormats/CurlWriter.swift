internal import CassetteSystem
package import Cassettes

/// A cassette's requests as commands for curl.
package enum CurlWriter {
  /// Writes a comment with the id and a command for each request, for a POSIX shell.
  package static func bytes(of cassette: Cassette) throws(CassetteError) -> [UInt8] {
    var text = ""
    for interaction in cassette.interactions {
      let command = try CurlCommand(interaction, origin: cassette.origin ?? "http://127.0.0.1:8080")
      text += "# \(Printable.escaped(interaction.id))\n\(command.text(options: ["-i"]))\n"
    }
    return Array(text.utf8)
  }
}
