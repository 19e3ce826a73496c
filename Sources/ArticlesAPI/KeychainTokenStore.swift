#if canImport(Security)
  import Foundation
  import Security

  /// A store that saves a token in the keychain of the user.
  public struct KeychainTokenStore: TokenStore {
    /// The name of the service in the keychain, usually the identifier of the app.
    public let service: String
    /// The name of the account in the keychain.
    public let account: String

    /// Creates a store for a keychain item.
    public init(service: String, account: String = "articles") { (self.service, self.account) = (service, account) }

    private var item: [CFString: Any] {
      [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }

    /// Returns the saved token; nil if no token is saved.
    public func token() throws -> Token? {
      let query = item.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
      var found: CFTypeRef?
      try check(SecItemCopyMatching(query as CFDictionary, &found))
      return try (found as? Data).map { try JSONDecoder().decode(Token.self, from: $0) }
    }

    /// Saves a token, replacing the previous one.
    public func save(_ token: Token) throws {
      let content: [CFString: Any] = [
        kSecValueData: try JSONEncoder().encode(token),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let status = SecItemUpdate(item as CFDictionary, content as CFDictionary)
      try check(status)
      if status == errSecItemNotFound { try check(SecItemAdd(item.merging(content) { $1 } as CFDictionary, nil)) }
    }

    /// Removes the token.
    public func clear() throws { try check(SecItemDelete(item as CFDictionary)) }

    /// Throws an error for a failed operation.
    ///
    /// A missing item is not an error.
    private func check(_ status: OSStatus) throws {
      if status == errSecSuccess || status == errSecItemNotFound { return }
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
      throw TokenStoreError(place: "keychain item \(service)", problem: reason)
    }
  }
#endif
