import CassetteHTTP
public import CassetteSession
import Cassettes
import Foundation

extension CassetteStub.Answer {
  /// Answers with the content of a file, relative to the test file: `.file("user.json")`, `.file("Pictures/kean.png")`.
  ///
  /// The file is also searched for in the resources of the test's target. If it is not found, the test fails before it
  /// runs.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the test file's folder or absolute. An absolute path is not searched for in the
  ///     resources.
  ///   - type: The media type. By default, the type of the file's extension.
  ///   - status: The status code. 200 by default.
  ///   - filePath: The path of the test file.
  /// - Returns: The answer.
  public static func file(
    _ path: String, type: String? = nil, status: Int = 200, filePath: String = #filePath
  ) -> CassetteStub.Answer {
    let beside = path.hasPrefix("/") ? path : Folder.join(Folder.parent(of: filePath), path)
    var places = [beside]
    if !path.hasPrefix("/"), Folder.resolvedKind(of: beside) != .file {
      for folder in CassetteBundles.folders(for: filePath, in: CassetteBundles.holders) {
        places += [Folder.join(folder, path), Folder.join(folder, Folder.name(of: path))]
      }
    }
    guard let found = places.first(where: { Folder.resolvedKind(of: $0) == .file }) else {
      let folder = Folder.parent(of: beside)
      let names = Folder.files(in: folder).files
      let near = nearest(to: Folder.name(of: path), among: names)
      let next = near.map { "did you mean \"\($0)\"?" } ?? "add the file, or pass its path"
      return .broken("the file \(beside) does not exist: \(next)")
    }
    let bytes: [UInt8]
    do { bytes = try CassetteFileBytes.read(path: found) } catch { return .broken(error.message) }
    let known = MediaType.forFileExtension(found)
    return .data(Data(bytes), type: type ?? known ?? "application/octet-stream", status: status)
  }
}
