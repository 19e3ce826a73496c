/// The names of secrets and of what is none, by their letters and digits, in lower case: the table of `SecretNames`.
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
    "socialsecuritynumber", "securityanswer", "secretanswer", "seedphrase", "recoveryphrase", "secretbinary",
    "dbpass", "databasepass", "smtppass", "mailpass", "emailpass", "userpass", "adminpass", "rootpass", "ftppass",
    "sshpass", "mysqlpass", "pgpass", "redispass", "ldappass", "proxypass", "authpass", "loginpass", "httppass",
    "basicpass", "keypass", "storepass", "wifipass", "newpass", "oldpass", "accountpass", "userpw", "dbpw", "adminpw",
    "rootpw", "loginpw", "smtppw", "otpcode", "psk", "wpapsk", "presharedkey", "secretkeybase", "activationcode",
    "licensekey", "mnemonic", "mnemonicphrase", "authheader", "authorizationheader", "basicauth", "primarymasterkey",
    "smscode", "emailcode", "logincode", "accesscode", "unlockcode", "oobcode", "emailotp", "smsotp", "phoneotp",
    "scratchcode", "recoverykey", "setupkey", "manualentrykey", "puk", "cardcode", "transactionkey", "keymaterial",
    "unsealkey", "unsealkeysb64", "requirepass", "vaultpass", "becomepass", "ansiblesshpass", "ansiblebecomepass",
    "remoteuserpass", "torrentpass", "aeskey", "plaintextkey", "passwrd", "pswd", "pasword", "sforcesession",
    "githubotp",
    // Password, in other languages.
    "motdepasse", "senha", "wachtwoord", "geheimnis", "пароль", "密码", "密碼", "パスワード", "비밀번호", "şifre", "sifre",
    "hasło", "haslo", "salasana", "lösenord", "losenord", "passord", "heslo", "jelszó", "jelszo",
  ]
  /// The names that are no secrets': of places where a list goes on, of counts, of models' tokens.
  package static let others: Set<String> = [
    "pagetoken", "nextpagetoken", "nexttoken", "continuationtoken", "nextcontinuationtoken", "synctoken",
    "nextsynctoken", "prevpagetoken", "previouspagetoken", "xnextpagetoken", "xpagetoken", "xcontinuationtoken",
    "maxtokens", "totaltokens", "inputtokens", "outputtokens", "prompttokens", "completiontokens", "reasoningtokens",
    "cachedtokens", "isnottoken", "bostoken", "eostoken", "padtoken", "unktoken", "stoptoken", "nonsecret",
    "accesscontrolallowcredentials",
  ]
  /// The endings of such names.
  package static let endings = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "secretkey",
    "signature", "credential", "credentials", "sessionkey", "signingkey", "encryptionkey", "subscriptionkey",
    "functionskey", "authkey", "accountkey", "passcode", "pwd", "passwort", "kennwort", "contraseña", "contrasena",
    "bearer",
  ]
  /// The endings that may follow a secret's name: `passwordConfirm`, `secret_value`.
  package static let tails = [
    "confirmation", "confirm", "again", "repeat", "verify", "verification", "retype", "hash", "digest", "salt", "new",
    "old", "current", "value", "plain", "plaintext", "string", "text", "base64", "pem", "data", "1", "2",
    "256",
  ]
  /// The names under which a value is a secret if it looks like a token.
  package static let weak: Set<String> = [
    "key", "appid", "keys", "sid", "session", "nonce", "state", "hash", "hmac", "data", "uid", "ticket", "salt", "seed",
    "cert", "license", "parola", "clave", "secretid", "plaintext",
    "primarykey", "secondarykey", "deploykey", "serverkey", "writekey", "datakey", "mackey", "passkey", "skey",
    "appkey",
  ]
}
