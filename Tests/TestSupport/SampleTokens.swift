/// Tokens of each known shape, concatenated so that scanners of repositories do not report them.
package let sampleTokens: [(kind: String, token: String)] = [
  ("GitHub token", "ghp" + "_" + String(repeating: "a1B2", count: 9)),
  ("GitHub token", "ghs" + "_" + String(repeating: "a1B2", count: 9)),
  ("GitHub token", "github" + "_pat_" + String(repeating: "A1b_", count: 20)),
  ("AWS access key", "AKIA" + "IOSFODNN7SAMPLE1"),
  ("AWS access key", "ASIA" + "IOSFODNN7SAMPLE1"),
  ("Slack token", "xoxb" + "-123456789012-abcdefABCDEF"),
  ("Google API key", "AIza" + String(repeating: "Sy_-5", count: 7)),
  ("Stripe key", "sk" + "_live_" + String(repeating: "4eC39", count: 5)),
  ("Stripe key", "rk" + "_live_" + String(repeating: "4eC39", count: 5)),
  ("npm token", "npm" + "_" + String(repeating: "a1B2", count: 9)),
  ("GitLab token", "glpat" + "-" + String(repeating: "x-Y9", count: 5)),
  ("JWT", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"),
  ("PEM private key", "-----BEGIN " + "RSA PRIVATE KEY-----"),
  ("PEM private key", "-----BEGIN " + "PRIVATE KEY-----"),
]
