#if canImport(Security)
  import Foundation
  public import Security

  /// Keeps a token in the keychain of the user.
  public struct KeychainTokenStore: TokenStore {
    /// What the token is for, as the keychain shows it: the app's identifier.
    public let service: String
    /// Whose token it is.
    public let account: String

    /// A store.
    ///
    /// - Parameters:
    ///   - service: What the token is for.
    ///   - account: Whose token it is.
    public init(service: String, account: String = "articles") {
      self.service = service
      self.account = account
    }

    private var item: [CFString: Any] {
      [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }

    /// The token that was saved, nil without one.
    public func token() throws -> Token? {
      var query = item
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
      return try JSONDecoder().decode(Token.self, from: data)
    }

    /// Keeps a token in place of the one before.
    public func save(_ token: Token) throws {
      let content: [CFString: Any] = [
        kSecValueData: try JSONEncoder().encode(token),
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(item as CFDictionary, content as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(item.merging(content) { $1 } as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw KeychainError(status: status) }
    }

    /// Forgets the token.
    public func clear() throws {
      let status = SecItemDelete(item as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainError(status: status) }
    }
  }

  /// What the keychain said instead of a token.
  public struct KeychainError: Error, Equatable {
    /// Its code; `security error CODE` explains it.
    public let status: OSStatus
  }
#endif
