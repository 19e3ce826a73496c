#!/usr/bin/env node
// The command `mockserver-swift` of the package: runs the program, forwards signals, and exits with the same code.
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { program } from "./program.mjs"

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" })
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("error", error => {
  console.error(`mockserver: ${error.message}`)
  process.exitCode = 70
})
child.on("exit", (code, signal) => { process.exitCode = code ?? 128 + constants.signals[signal] })
