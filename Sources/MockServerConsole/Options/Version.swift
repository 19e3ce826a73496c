/// The version that `--version` prints, which must equal the latest version in `CHANGELOG.md`.
package let version = "0.1.0"
