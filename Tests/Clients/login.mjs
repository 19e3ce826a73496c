// Logs in to a shop with fetch and gets a file by its signed URL: node login.mjs ADDRESS
// fetch has no cookies: this jar keeps those that a client of this address accepts (RFC 6265 §5.3).
import assert from "node:assert";

const jar = new Map();
const address = process.argv[2];

async function ask(url, options = {}) {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(url, { ...options, redirect: "manual", headers: { cookie } });
  for (const line of answer.headers.getSetCookie()) {
    const [pair, ...attributes] = line.split(";").map((part) => part.trim());
    const refuses = ([name, domain]) =>
      name === "secure" || (name === "domain" && domain !== new URL(url).hostname);
    if (attributes.some((attribute) => refuses(attribute.toLowerCase().split("=")))) continue;
    jar.set(...pair.split("=", 2));
  }
  const location = answer.headers.get("location");
  return location ? ask(new URL(location, url)) : answer;
}

const account = await (await ask(`${address}/login`, { method: "POST", body: "user=kean" })).json();
assert.equal(account.user, "kean");
assert.equal(await (await ask(account.file)).text(), "the file");
