// Follows every link of an API from ADDRESS/api/ with fetch, and prints the number of answered URLs.
const base = process.argv[2]
const waiting = [base + "/api/"], seen = new Set(waiting)
while (waiting.length) {
  const url = waiting.pop()
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`)
  JSON.stringify(await answer.json(), (_, value) => {
    if (typeof value === "string" && /^https?:/.test(value)) {
      if (!value.startsWith(base + "/")) throw new Error(`${value} leads outside of the mock server`)
      if (!seen.has(value)) { seen.add(value); waiting.push(value) }
    }
    return value
  })
}
console.log(seen.size)
