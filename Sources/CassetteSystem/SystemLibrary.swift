/// A library of the system that is opened while the program runs: nothing has to be installed to build.
package struct SystemLibrary {
  /// A function that this version of the library does not have.
  package struct Missing: Error {
    /// The function's name.
    package let name: String
  }

  private let handle: UnsafeMutableRawPointer

  /// Finds the function of a name, of the type the caller gives it.
  package func find<F>(_ name: String) throws(Missing) -> F {
    // Libraries that this one was linked with are looked through as well: libcrypto comes with libssl.
    guard let pointer = dlsym(handle, name) else { throw Missing(name: name) }
    return unsafeBitCast(pointer, to: F.self)
  }

  /// Makes a table of the first library, the best first, that is there and has everything; nil where none is.
  package static func load<Table>(
    _ names: [String], _ make: (SystemLibrary) throws(Missing) -> Table
  ) -> Table? {
    for name in names {
      guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
      do throws(Missing) {
        return try make(SystemLibrary(handle: handle))
      } catch {
        dlclose(handle)
      }
    }
    return nil
  }
}
