// Controls a mock server from node:test, with the fixture of the npm package.
import assert from "node:assert/strict"
import { test } from "node:test"
import { mockserver } from "../../.github/release/npm/index.mjs"

const options = { cassettes: new URL("steering.json", import.meta.url).pathname }

const ask = async (mock, method, path, body) => {
  const headers = { ...mock.headers, "Content-Type": "application/json" }
  const answer = await fetch(mock.url + path, { method, headers, body: body && JSON.stringify(body) })
  const text = await answer.text()
  return text ? JSON.parse(text) : null
}

test("a stub answers", async t => {
  const mock = await mockserver(t, options)
  await mock.stub("GET /users/kean", { json: { login: "kean" } })
  assert.deepEqual(await ask(mock, "GET", "/users/kean"), { login: "kean" })
})

test("a request is verified, or the nearest request is reported", async t => {
  const mock = await mockserver(t, options)
  await ask(mock, "POST", "/cart", { item: "milk" })
  assert.equal((await mock.verify("POST /cart", { times: 1, json: { item: "milk" } })).length, 1)
  await assert.rejects(mock.verify("POST /cart", { json: { item: "bread" } }), /milk/)
})

test("a scenario is set and advances", async t => {
  const mock = await mockserver(t, options)
  assert.deepEqual(await ask(mock, "GET", "/cart"), [])
  await mock.scenario("cart", "full")
  assert.deepEqual(await ask(mock, "GET", "/cart"), ["milk"])
})

test("tests do not share scenario states", async t => {
  const mock = await mockserver(t, options)
  assert.equal(await mock.scenario("cart"), "Started")
})

test("wait returns after the request", async t => {
  const mock = await mockserver(t, options)
  const waiting = mock.wait("POST /cart", { seconds: 5 })
  await ask(mock, "POST", "/cart", { item: "milk" })
  assert.equal((await waiting)[0].method, "POST")
})

test("no call waits for a delayed acknowledgement, which takes 40 ms", async t => {
  const mock = await mockserver(t, options)
  await ask(mock, "POST", "/cart", { item: "milk" })
  const calls = {
    stub: () => mock.stub("GET /a"), verify: () => mock.verify("POST /cart"), wait: () => mock.wait("POST /cart"),
    scenario: () => mock.scenario("cart", "full"), session: () => mock.call("GET", "sessions"),
    journal: () => mock.call("GET", "journal"),
  }
  const median = async call => {
    const times = []
    for (let count = 0; count < 50; count++) {
      const start = performance.now()
      await call()
      times.push(performance.now() - start)
    }
    return times.sort((a, b) => a - b)[25]
  }
  for (const [name, call] of Object.entries(calls)) {
    const best = Math.min(await median(call), await median(call), await median(call))
    t.diagnostic(`${name}: ${best.toFixed(2)} ms`)
    assert.ok(best < 35, name)
  }
})
