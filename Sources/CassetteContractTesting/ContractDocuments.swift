internal import CassetteOpenAPI
internal import CassetteSystem
internal import CassetteTesting
internal import Cassettes
import Foundation

/// A cache of the documents that tests use, which are parsed once per process.
enum ContractDocuments {
  private static let read = Locked<[String: ContractCheck]>([:])

  /// Returns a checker for the document at a path, which is absolute or relative to the test file.
  static func check(_ name: String, filePath: String) throws(CassetteError) -> ContractCheck {
    let path = try path(name, filePath: filePath)
    return try read.withLock { (known: inout [String: ContractCheck]) throws(CassetteError) in
      if let check = known[path] { return check }
      let check = ContractCheck(try SpecificationFile(path).document)
      known[path] = check
      return check
    }
  }

  private static func path(_ name: String, filePath: String) throws(CassetteError) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let folder = name.hasPrefix("/") ? "/" : "."
    do throws(CassetteError) {
      return try CassettePlace.find(
        name.hasPrefix("/") ? String(name.dropFirst()) : name, in: folder, filePath: filePath)
    } catch {
      throw CassetteError(
        file: name.hasPrefix("/") ? name : Folder.join(Folder.parent(of: filePath), name),
        message: "the OpenAPI document was not found",
        suggestion: "name it by its path from the test's folder: .contract(\"../\(parts.last ?? name)\")")
    }
  }
}
