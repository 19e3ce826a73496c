// Logs in to a shop with URLSession and gets a file by its signed URL: login ADDRESS
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Account: Decodable {
  var user: String
  var file: URL
}

let configuration = URLSessionConfiguration.ephemeral
configuration.connectionProxyDictionary = [:]
let session = URLSession(configuration: configuration)
guard let url = URL(string: "\(CommandLine.arguments[1])/login") else { exit(2) }
var login = URLRequest(url: url)
login.httpMethod = "POST"
login.httpBody = Data("user=kean".utf8)
let account = try JSONDecoder().decode(Account.self, from: try await session.data(for: login).0)
let file = try await session.data(from: account.file).0
exit(account.user == "kean" && file == Data("the file".utf8) ? 0 : 1)
