/// The parts of names that say that a value is a secret.
package enum SecretNameParts {
  /// The parts of which every secret's name has one.
  package static let all = [
    "pass", "pw", "appid", "secret", "token", "key", "sig", "cred", "auth", "code", "otp", "pin", "jw", "cv", "csrf",
    "xsrf", "sess", "bearer", "cookie", "saml", "assertion", "verifier", "card", "ccnum", "cc_n", "cc-n", "ssn",
    "security", "sas", "connect", "sid", "salt", "private", "social", "cert", "license", "ticket", "nonce", "state",
    "hmac", "seed", "dpop", "oidc", "psk", "mnemonic", "phrase", "plain", "puk", "sensitive", "httponly", "http_only",
    "kty", "pswd", "pasw", "sforce", "unseal", "remember", "crumb", "accessor", "modhash", "userhash", "user_hash",
    "pkcs12", "p12", "pfx", "truststore", "wif", "statehandle", "formdigest", "concealed", "securestring", "zugang",
    // Programs that are given passwords, and paths that end in secrets.
    "curl", "wget", "docker", "mysql", "redis-cli", "sqlcmd", "openssl", "insert into", "identified by", "snmp-server",
    "reset/", "verify/", "confirm/", "activate/", "invite/", "invitation/", "magic", "unsubscribe/", "hooks/",
    "webhook/", "hook/", "confirm-email/", "masked", "pepper", "refresh", "macaroon",
    "\"pat\"", "\"sk\"", "securejson", "rsakeyvalue", "mongo", "bcp ", "ldap", "zip -", "7z ", "twine", "az login",
    "registry login", "podman", "ncftp", "storepass", " /p:", "/rp ", "vault login", "http -a", "smbclient",
    "alias set", "net use", "sudo -s", "chpasswd", "getconnection(", "mysqli", "pdo(", "->connect(", "wifi.begin(",
    ".login(", "crypt(", "btoa(", "b64encode(", "\"login\"", "unlockaccount", "lease_id", "<methodname>",
    // What people call passwords in other languages.
    "wort", "contras", "senha", "wachtw", "geheim", "арол", "密码", "密碼", "パスワード", "비밀번호", "ifre", "has\u{142}o",
    "haslo", "salasana", "senord", "heslo", "jelsz", "parola", "clave",
    "lozin", "parool", "adgangs", "kodeord", "khau", "khẩu", "schl", "2fa", "tfa",
  ]
}
