/// A system library that is opened at run time, so that building requires no installation.
package struct SystemLibrary {
  /// The error for a function that the library does not contain.
  package struct Missing: Error {
    /// The name of the function.
    package let name: String
  }

  private let handle: UnsafeMutableRawPointer

  /// Returns a function by its name; the caller determines its type.
  package func find<F>(_ name: String) throws(Missing) -> F {
    // Dependencies of the library are searched as well: libcrypto is loaded with libssl.
    guard let pointer = dlsym(handle, name) else { throw Missing(name: name) }
    return unsafeBitCast(pointer, to: F.self)
  }

  /// Creates a table of functions from the first library that exists and contains all of them.
  ///
  /// - `names`: The names of the libraries, in order of preference.
  /// - `make`: Creates the table; throws if a function is missing.
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
