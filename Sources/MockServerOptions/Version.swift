/// The version `--version` prints; `CHANGELOG.md` begins with the same.
package let version = "0.1.0"
