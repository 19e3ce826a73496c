// The checks of checks.json, through the npm package's fixture for node:test.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { test } from "node:test"
import { mockserver } from "mockserver-swift"

const file = name => new URL(name, import.meta.url).pathname
const checks = JSON.parse(readFileSync(file("checks.json"), "utf8"))

const answer = (url, method, headers, body) => new Promise((resolve, reject) => {
  const asked = request(url, { method, headers }, async answer => {
    let text = ""
    for await (const part of answer.setEncoding("utf8")) text += part
    resolve({ status: answer.statusCode, fields: answer.headers, text })
  })
  asked.on("error", reject)
  asked.end(body)
})

const ask = async (session, step) => {
  const [method, path] = step.ask.split(" ")
  const body = step.json === undefined ? undefined : JSON.stringify(step.json)
  const headers = { ...session.headers, ...step.headers, ...(body && { "Content-Type": "application/json" }) }
  const { status, fields, text } = await answer(session.url + path, method, headers, body)
  if (step.status) assert.equal(status, step.status, text)
  for (const [name, value] of Object.entries(step.fields ?? {})) assert.ok(fields[name]?.includes(value), fields[name])
  if (step.empty) assert.equal(text, "")
  assert.ok(text.includes(step.text ?? ""), text)
  for (const [name, value] of Object.entries(step.has ?? {})) assert.deepEqual(JSON.parse(text)[name], value)
}

const fails = async (step, call) => {
  if (step.fails === undefined) return call()
  await assert.rejects(call(), { code: "ERR_ASSERTION", message: new RegExp(step.fails) })
}

for (const [name, steps] of Object.entries(checks)) {
  test(name, async t => {
    const server = await mockserver(t, { cassettes: file("cassettes"), misses: true })
    let session = server, allowed = false
    for (const step of steps) {
      switch (Object.keys(step)[0]) {
        case "ask": await ask(session, step); break
        case "stub": await fails(step, () => session.stub(step.stub, step.answer)); break
        case "verify": await fails(step, () => session.verify(step.verify, step.expected)); break
        case "wait": await fails(step, () => session.wait(step.wait, step.expected)); break
        case "scenario": assert.equal(await session.scenario(step.scenario, step.set), step.is); break
        case "requests": assert.equal((await session.requests()).length, step.requests); break
        case "misses": {
          const found = await session.misses()
          allowed = true
          assert.equal(found.length, step.misses.length, found.join("\n"))
          step.misses.forEach((wanted, index) => assert.ok(found[index].includes(wanted), found[index]))
          break
        }
        case "reset": await session.reset(); break
        case "session": session = server.session(step.session)
      }
    }
    if (!allowed) await server.check()
  })
}
