import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Returns the path of the program for this machine, or the environment variable MOCKSERVER if it is set. */
export function program() {
  if (process.env.MOCKSERVER) return process.env.MOCKSERVER
  const name = process.platform === "darwin" ? "darwin" : `${process.platform}-${process.arch}`
  const path = fileURLToPath(new URL(`bin/${name}/mockserver`, import.meta.url))
  if (!existsSync(path)) throw new Error(`mockserver-swift does not contain a program for ${name}: set MOCKSERVER to the path of a program`)
  return path
}
