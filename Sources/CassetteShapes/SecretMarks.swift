/// The finds of one pass beside tokens, which tell later passes where to look, and for what.
package struct SecretMarks: Sendable {
  /// The ends of parts of secrets' names: without one there is nothing that a name says is a secret.
  package var names: [Int] = []
  /// True if a member of JSON has the name of a piece of a text.
  package var hasPieces = false
  /// True if it may be `multipart/form-data`.
  package var hasParts = false
  /// True if it may be a document that describes an API.
  package var hasVersion = false
  /// The words that introduce a value, in their order: the number of each in `words`, and where it ends.
  package var introductions: [(word: Int, end: Int)] = []

  /// Nothing seen yet.
  package init() {}

  /// The kind of value that a word introduces.
  package enum Introduction: Equatable, Sendable {
    /// A noun: `token abc`, `password is "abc"`.
    case noun
    /// `--token abc`.
    case option
    /// `-u ada:abc`.
    case user
    /// `-b 'sid=abc'`.
    case cookies
    /// A program whose `-p` is a password, behind a blank or not.
    case program
    /// `machine a login b password abc`.
    case machine
    /// `setenv TOKEN abc`.
    case variable
    /// `setToken("abc")`.
    case sole
    /// `set("token", "abc")`.
    case call
    /// `basicAuth("ada", "abc")`, by the number of the string.
    case argument(Int)
    /// `{"method": "login", "params": ["ada", "abc"]}`.
    case method
    /// `<methodName>wp.getPosts</methodName>`, and a password as its third parameter.
    case positions
    /// An answer of Vault's, whose secrets have any name.
    case lease
    /// An option, or a name, whose value stands behind it.
    case value
    /// A command whose last word is a password.
    case last
    /// `insert into users (name, password) values ('ada', 'abc')`.
    case rows
    /// `variable "db_password" { default = "abc" }`.
    case block
    /// `echo abc | docker login --password-stdin`.
    case piped
  }

  /// The words that introduce a value, and what they introduce.
  package static let words: [(text: String, what: Introduction)] = [
    (
      [
        "password", "passphrase", "passcode", "token", "secret", "api key", "api_key", "apikey", "access key",
        "verification code", "recovery code", "one-time code", "security code", "passwd", "identified by",
        "auth plain", "snmp-server community", "isakmp key", "unseal key", "server key", "auth sha", "auth md5",
        ": psk",
        "password-value", "bearer", "creds", "credentials", "\"auth\"", "passwort", "kennwort", "mot de passe",
        "contraseña", "contrasena", "senha", "wachtwoord", "пароль", "Пароль", "密码", "密碼", "パスワード", "비밀번호", "hasło",
        "heslo", "lösenord", "salasana",
      ], .noun
    ),
    (["--"], .option),
    (
      [" -u", "\"-u\"", "--user", "--proxy-user", "http -a", "https -a"], .user
    ), ([" -b ", "--cookie"], .cookies),
    (
      [
        "docker login ", "sshpass ", "mysql ", "mysqldump ", "redis-cli ", "sqlcmd ", "openssl enc ", "mysqldump\"",
        "mysqladmin\"", "mysqladmin ", "mysql\"", "podman login ", "registry login ", "twine upload ", "az login ",
        "mongo ", "mongosh ", "mongodump ", "mongorestore ", "ncftpput ", "ncftpget ", "bcp ", "ldapsearch ",
        "ldapmodify ", "ldapadd ", "zip -", "7z ", "secret set ", "force:auth ",
      ], .program
    ),
    (
      [
        "-storepass ", "-keypass ", " /p:", "/rp ", "vault login ", "convertto-securestring ", " pass:",
        "secret_access_key ", "-a bearer -a ",
        "event: token\ndata: ", "event: secret\ndata: ",
      ], .value
    ), (["htpasswd -", "alias set ", "/user:"], .last), (["machine ", "default login "], .machine),
    (
      [
        "setenv ", "env ", "set -x ", "set -gx ", "set -ux ", "config set ", "configure set ", "proxy_set_header ",
        "fastcgi_param ", "requestheader set ",
      ], .variable
    ),
    (
      [
        "set(", "item(", "header(", "define(", "put(", "append(", "add(", "env(", "with(", "property(", "fetch(",
        "buildconfigfield \"string\", ",
      ], .call
    ),
    (["password(", "apikey(", "token(", "secret("], .sole),
    (
      [
        "basicauth(", "auth=(", "networkcredential(", "wifi.begin(", "usernamepasswordcredentials(",
        "passwordauthentication(", ".login(",
      ], .argument(2)
    ),
    (
      ["getconnection(", "mysqli(", "mysqli_connect(", "pdo(", "pdo->__construct(", "->connect(", "plainauth("],
      .argument(3)
    ),
    (["crypt(", "btoa(", "b64encode(b"], .argument(1)),
    (
      [
        "\"login\"", "\"authenticate\"", "walletpassphrase\"", "unlockaccount\"", "changepassword\"", "importaccount\"",
      ], .method
    ), (["\"lease_id\""], .lease),
    (["<methodname>wp.", "<methodname>metaweblog.", "<methodname>blogger."], .positions),
    (["insert into ", "copy "], .rows), (["variable \""], .block),
    (["echo ", "printf "], .piped),
  ].flatMap { (words: [String], what: Introduction) in words.map { ($0, what) } }

  /// The beginnings of the names of members that are or hold pieces of a text, as they stand in JSON.
  package static let pieces = ["\"delta", "\"chunk", "\"piece", "\"fragment", "\"partial", "\"candidates"]
  static let parts = "form-data"
  /// The members that give the version of a document that describes an API, as they stand in JSON.
  package static let versions = ["\"openapi\"", "\"swagger\"", "\"asyncapi\"", "\"smithy\""]
  /// The members of AWS's documents that do.
  static let services = ["\"shapes\"", "\"operations\"", "\"pagination\"", "\"identifiers\""]
}
