/// The names that make a value a secret, and those that do not, for `SecretNames`: letters and digits, in lower case.
package enum SecretNameTable {
  /// The names of secrets.
  package static let names: Set<String> = [
    "code", "pass", "password", "passwd", "pwd", "pw", "passphrase", "passcode", "secret", "sig", "signature", "jwt",
    "jws", "jwe", "otp", "totp", "mfacode", "twofactorcode", "pin", "pincode", "apikey", "privatekey", "accesskey",
    "secretkey", "authkey", "sharedkey", "masterkey", "accountkey", "storagekey", "hmackey", "bearer", "credential",
    "credentials", "sessionid", "sessid", "phpsessid", "jsessionid", "aspnetsessionid", "connectsid", "auth",
    "authorization", "proxyauthorization", "clientassertion", "assertion", "samlresponse", "samlrequest",
    "codeverifier", "authcode", "authorizationcode", "devicecode", "usercode", "verificationcode", "recoverycode",
    "backupcode", "accesskeyid", "awsaccesskeyid", "sessionkey", "signingkey", "encryptionkey", "csrf", "xsrf",
    "csrfmiddlewaretoken", "cvv", "cvv2", "cvc", "cvn", "securitycode", "cardnumber", "ccnumber", "cardnum",
    "clientkey", "consumerkey", "apipassword", "webhooksecret", "connectionstring", "sastoken", "refreshtoken",
    "xamzsignature", "xamzsecuritytoken", "xgoogsignature", "setcookie", "cookie", "xapikey", "privatepem", "ssn",
    "socialsecuritynumber", "securityanswer", "secretanswer", "seedphrase", "recoveryphrase", "secretbinary", "dbpass",
    "databasepass", "smtppass", "mailpass", "emailpass", "userpass", "adminpass", "rootpass", "ftppass", "sshpass",
    "mysqlpass", "pgpass", "redispass", "ldappass", "proxypass", "authpass", "loginpass", "httppass", "basicpass",
    "keypass", "storepass", "wifipass", "newpass", "oldpass", "accountpass", "userpw", "dbpw", "adminpw", "rootpw",
    "loginpw", "smtppw", "otpcode", "psk", "wpapsk", "presharedkey", "secretkeybase", "activationcode",
    "mnemonicphrase", "authorizationheader", "authheader", "primarymasterkey", "smscode", "oobcode", "totpcode",
    "emailotp", "smsotp", "phoneotp", "scratchcode", "recoverykey", "manualentrykey", "puk", "keymaterial", "unsealkey",
    "unsealkeysb64", "requirepass", "vaultpass", "becomepass", "ansiblesshpass", "ansiblebecomepass", "remoteuserpass",
    "aeskey", "plaintextkey", "passwrd", "pswd", "pasword", "sforcesession", "githubotp", "smsmfacode", "pairingcode",
    "validationkey", "decryptionkey", "oauthverifier", "signedrequest", "apisig", "jscode", "sessionticket",
    "statehandle", "secretword", "wpakey", "wifikey", "setupkey", "wpnonce", "formdigestvalue", "mnemonic",
    "invitecode", "validationcode", "confirmationcode", "confirmcode", "tfacode", "doorcode", "unlockcode", "logincode",
    "zugangscode", "otpseed", "totpseed", "secretcode", "walletseed", "spendkey", "pinnummer", "securestring",
    "concealed", "scaauthenticationdata", "passwordvalue", "impersonationcode", "accesscode", "functionkey", "ssidkey",
    "networkkey", "authuserpass",
    // Password, in other languages.
    "motdepasse", "senha", "wachtwoord", "geheimnis", "пароль", "密码", "密碼", "パスワード", "비밀번호", "şifre", "sifre",
    "hasło", "haslo", "salasana", "lösenord", "losenord", "passord", "heslo", "jelszó", "jelszo",
    "contrasenya", "lozinka", "parool", "adgangskode", "kodeord", "matkhau", "mậtkhẩu",
  ]
  /// The fields whose values are secrets, in lower case.
  package static let fields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-session-id", "password", "token", "secret",
    "x-amz-copy-source-server-side-encryption-customer-key", "x-amz-server-side-encryption-customer-key",
    "x-goog-iap-jwt-assertion", "x-amzn-oidc-data", "x-csrftoken", "x-xsrftoken", "x-password", "x-secret", "dpop",
    "authentication", "auth", "fastly-key", "x-admin-key", "x-license-key", "api-sign", "cb-access-sign", "x-hmac",
    "x-shopify-hmac-sha256", "jenkins-crumb", "x-wp-nonce", "npm-otp", "x-vercel-protection-bypass",
    "x-identity-header", "x-session", "sessionid", "session-id", "x-sid", "x-csrf", "x-xsrf", "x-otp", "x-pass",
    "x-passwd", "x-key", "x-authentication", "x-sign", "sign", "x-master", "x-pin", "x-2fa-approval",
    "x-ms-client-principal", "passcode", "x-jfrog-art-api",
  ]
  /// The endings of such fields.
  package static let fieldEndings = [
    "api-key", "apikey", "api_key", "-secret", "auth-key", "-token", "subscription-key", "-authorization",
    "-password", "access-key", "functions-key", "private-key", "secret-key", "-auth", "-signature",
    "-signature-256", "-jwt", "-assertion", "-bearer", "application-key", "app-key", "master-key", "mashape-key",
    "-cookie", "-authorization-auxiliary", "-pass", "-pwd", "-psk", "-passcode", "-pw",
  ]
  /// The names that are no secrets': of places where a list goes on, of counts, of models' tokens.
  package static let others: Set<String> = [
    "pagetoken", "nextpagetoken", "nexttoken", "continuationtoken", "nextcontinuationtoken", "synctoken",
    "nextsynctoken", "prevpagetoken", "previouspagetoken", "xnextpagetoken", "xpagetoken", "xcontinuationtoken",
    "clientrequesttoken", "idempotencytoken", "maxtokens", "totaltokens", "inputtokens", "outputtokens", "prompttokens",
    "completiontokens", "reasoningtokens", "cachedtokens", "isnottoken", "bostoken", "eostoken", "padtoken", "unktoken",
    "stoptoken", "nonsecret", "publickeytoken", "accesscontrolallowcredentials", "syntaxtokens", "dkimtokens",
    "changetoken", "nextforwardtoken", "nextbackwardtoken", "creationtoken", "startingtoken", "s3key", "locktoken",
    "devicekey", "digestvalue", "signaturevalue",
  ]
  /// The endings of such names.
  package static let endings = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "secretkey",
    "signature", "credential", "credentials", "sessionkey", "signingkey", "encryptionkey", "subscriptionkey",
    "functionskey", "authkey", "accountkey", "passcode", "pwd", "passwort", "kennwort", "contraseña", "contrasena",
    "bearer",
  ]
  /// The last words of such names, which also end other words.
  package static let words = ["pass", "pw", "psk"].flatMap {
    ["_\($0)", "-\($0)", "_\($0.uppercased())", $0.prefix(1).uppercased() + $0.dropFirst()]
  }
  /// The endings that may follow a secret's name: `passwordConfirm`, `secret_value`.
  package static let tails = [
    "confirmation", "confirm", "again", "repeat", "verify", "verification", "retype", "hash", "digest", "salt", "new",
    "old", "current", "value", "plain", "plaintext", "string", "text", "base64", "pem", "data", "1", "2",
    "256", "v1", "v2", "v3", "parts", "chunks", "shares", "shards",
  ]
  /// The names under which a value is a secret if it looks like a token.
  package static let weak: Set<String> = [
    "appid", "keys", "sid", "session", "sess", "nonce", "state", "hmac", "ticket", "salt", "seed", "private", "cred",
    "creds", "cert", "license", "parola", "clave", "secretid", "plaintext", "basicauth", "transactionkey",
    "cardcode", "emailcode", "torrentpass", "keysbase64", "rememberme", "crumb", "accessor", "modhash", "userhash",
    "pkcs12", "p12", "p12base64", "pfx", "keystore", "truststore", "appcertificate", "wif", "accesstok", "authtok",
    "schluessel", "schlüssel", "receiptdata", "sessiondata", "authsession", "pepper", "refresh", "sas", "magiclink",
    "sk", "pat", "localkey", "lsid", "securejsondata", "adminmacaroon", "logintotp",
  ]
  /// Those of them that are too short to be looked for without quotes.
  package static let shortest = NameSet(["pat", "sk"])
  /// The names that end as a key's and are of what is found by it, or for everybody.
  package static let openKeys = [
    "publickey", "pubkey", "sitekey", "publishablekey", "objectkey", "cachekey", "idempotencykey", "partitionkey",
    "sortkey", "rowkey", "hashkey", "filekey", "imagekey", "blobkey", "foreignkey", "lookupkey", "resourcekey",
    "startkey", "endkey", "nextkey", "lastevaluatedkey", "continuationkey", "surrogatekey", "deduplicationkey",
    "applicationserverkey", "websocketkey",
  ]
  /// The weak names under which also a short password is taken: passwords in other languages, which are words as well.
  package static let passwords = NameSet([
    "parola", "clave", "secretid", "basicauth", "accesscode", "transactionkey", "cardcode", "emailcode", "torrentpass",
  ])
  /// The names that have another name as their value.
  package static let holders = NameSet([
    "name", "key", "field", "header", "param", "parameter", "property", "attribute", "label", "variable", "env", "id",
    "type", "httpequiv", "secretname", "fieldname", "kind", "loc", "path", "parameterkey", "propertypath", "outputkey",
    "kty", "sensitive", "issensitive", "httponly", "masked", "keyname", "designation", "k", "setting",
  ])
  /// The parts of names under which a random value is a secret, though the name alone does not say so.
  package static let roots = KeywordAutomaton(
    [
      "secret", "token", "passw", "credential", "apikey", "accesskey", "privatekey", "secretkey", "signingkey",
      "bearer", "sessionid", "authkey", "clientkey", "authorization", "macaroon",
    ].map { Array($0.utf8) })
  /// The members of an object that say something of a secret, and are none: of a schema, a form, a token's description.
  package static let facts = NameSet([
    "type", "format", "minlength", "maxlength", "min", "max", "pattern", "description", "title", "in", "name",
    "required", "nullable", "readonly", "writeonly", "deprecated", "length", "digits", "algorithm", "scope", "scopes",
    "symbol", "expirationseconds", "expiresin", "expiresat", "createdat", "updatedat", "lastusedat", "status", "lat",
    "lng", "lon", "ref", "secretname", "defaultmode", "mountpath", "placeholder", "label", "hint", "message",
    "decimals", "logprob", "location", "arn", "createdate", "expiration",
  ])

  /// Tells whether a word of small letters is in the table as it is.
  package static func isName(_ word: String) -> Bool {
    word.utf8.count > 3 && (names.contains(word) || others.contains(word) || endings.contains(word))
  }
}
