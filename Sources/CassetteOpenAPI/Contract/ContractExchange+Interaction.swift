internal import CassetteHTTP
package import Cassettes

extension ContractExchange {
  /// Creates an exchange from a recording; throws if the file of a body cannot be read.
  package init(_ interaction: Interaction) throws(CassetteError) {
    self.init(
      method: "\(interaction.method)", target: interaction.pathAndQuery, requestHeaders: interaction.requestHeaders,
      requestBody: try interaction.requestBody?.bytes(), status: interaction.status,
      headers: interaction.response?.headers ?? [:], body: try interaction.response?.body?.bytes())
  }
}
