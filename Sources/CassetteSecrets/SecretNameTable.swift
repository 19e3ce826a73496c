/// The names whose values are secrets, for ``SecretNames``.
///
/// Names are compared by their letters and digits, in lower case: `API-Key`, `apiKey` and `api_key` are `apikey`. The
/// last part of `user[password]`, `db.password` and `x:password` is compared as well, and so is a name without its
/// `X-`. Sources: RFC 6749, 7636 and 8628 (OAuth 2), OpenID Connect, SAML, the documentation of AWS, Azure, Google and
/// GitHub, web forms, and the names that `gitleaks` and users of VCR look for.
enum SecretNameTable {
  /// The names of secrets, in any context.
  static let names = """
    pass password pwd pw passphrase secret jwt jws jwe otp totp mfacode twofactorcode pin pincode hmackey storagekey
    masterkey sharedkey sessionid sessid phpsessid jsessionid aspnetsessionid connectsid authorization
    proxyauthorization clientassertion samlresponse samlrequest codeverifier authcode authorizationcode devicecode
    usercode verificationcode recoverycode backupcode accesskeyid awsaccesskeyid csrf xsrf csrfmiddlewaretoken cvv cvv2
    cvc cvn securitycode cardnumber ccnumber cardnum clientkey consumerkey setcookie cookie privatepem ssn
    socialsecuritynumber securityanswer secretanswer seedphrase recoveryphrase secretbinary otpcode psk wpapsk
    presharedkey secretkeybase activationcode mnemonicphrase authheader authorizationheader smscode oobcode totpcode
    recoverykey puk keymaterial unsealkey requirepass aeskey sforcesession oauthverifier signedrequest apisig
    sessionticket wifikey setupkey wpnonce mnemonic invitecode confirmationcode tfacode unlockcode logincode otpseed
    totpseed walletseed spendkey webhooksecret connectionstring pswd passwrd pasword
    motdepasse senha wachtwoord salasana heslo haslo losenord passord sifre parool lozinka adgangskode kodeord
    contrasenya rspauth
    """
  /// The suffixes of secret names.
  static let endings = """
    token secret password passwd passphrase passcode apikey accesskey privatekey secretkey credential credentials
    sessionkey signingkey encryptionkey subscriptionkey functionskey authkey accountkey masterkey sessionid
    passwort kennwort contraseña contrasena connectionstring authorization
    """
  /// The last words of secret names: `dbPass`, `root_pw`, but not `compass`.
  static let words = "pass pw pwd psk otp jwt pin"
  /// The names of secrets only in the parameters of URLs and forms; elsewhere they are ordinary words.
  static let parameters = "code sig signature auth bearer sid hmac ticket assertion xgoogsignature xamzsignature"
  /// The suffixes of names of values that are not secret: pagination tokens, token counts, public keys.
  static let exceptions = """
    pagetoken nexttoken synctoken continuationtoken continuetoken nextforwardtoken nextbackwardtoken startingtoken
    clientrequesttoken idempotencytoken creationtoken changetoken locktoken publickeytoken nonsecret isnottoken
    bostoken eostoken padtoken unktoken stoptoken accesscontrolallowcredentials
    """
  /// The suffixes that may follow a secret's name: `passwordConfirm`, `secret_value`, `token2`.
  static let tails = """
    confirmation confirm again repeat verify verification retype hash digest new old current value plain plaintext
    string text base64 pem data 1 2
    """
  /// Members that contain a name, then members that contain its value: `{"name": "password", "value": "…"}`.
  static let holders = """
    name key field header parameter property attribute label variable id fieldname keyname parameterkey propertypath
    outputkey type
    """
  static let values = "value content parametervalue outputvalue invalidvalue"
  /// Members below `credentials` that describe a credential.
  static let kinds = "type kind role user username"
  /// The header fields that are secret, in addition to fields with a secret's name.
  static let fields = """
    authentication auth x-auth x-key x-sign sign x-signature x-hmac x-session session-id x-session-id x-sid
    x-license-key x-admin-key fastly-key api-sign cb-access-sign cb-access-passphrase x-shopify-hmac-sha256
    jenkins-crumb x-wp-nonce x-vercel-protection-bypass x-identity-header x-csrf x-xsrf x-otp npm-otp dpop x-pin
    x-2fa-approval x-ms-client-principal x-jfrog-art-api x-amzn-oidc-data x-goog-iap-jwt-assertion x-hub-signature
    x-hub-signature-256 x-slack-signature stripe-signature x-twilio-signature x-rapidapi-key x-mashape-key
    x-application-key x-app-key x-authorization-auxiliary
    x-amz-server-side-encryption-customer-key x-amz-copy-source-server-side-encryption-customer-key
    """
  /// The authorization schemes that may precede a credential: those of the IANA registry of HTTP authentication schemes
  /// with the reserved ones, then those of Windows, of cloud providers and their stores, and of other services.
  static let schemes = """
    basic bearer concealed digest dpop gnap hoba mutual negotiate oauth privatetoken scram-sha-1 scram-sha-256 vapid
    ntlm kerberos
    aws aws4-hmac-sha256 aws4-ecdsa-p256-sha256 goog1 goog4-hmac-sha256 goog4-rsa-sha256 sharedkey sharedkeylite
    sharedaccesssignature tc3-hmac-sha256 acs3-hmac-sha256 sdk-hmac-sha256
    token jwt apikey api-key bot ssws genie geniekey hawk googlelogin hmac hmac-sha256 signature kakaoak
    klaviyo-api-key deepl-auth-key discogs pveapitoken splunk wsse usernametoken zoho-oauthtoken client-id elastic key
    lsat l402 nostr snowflake
    """
}
