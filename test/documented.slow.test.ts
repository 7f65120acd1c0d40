import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from './data-folder.ts'
import { runDocuments, scriptOf } from './documented.ts'
import { pluck } from './pluck.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const jq = fileURLToPath(new URL('fixtures/commands/jq.mjs', import.meta.url))
const missing = ['bash', 'curl', 'openssl'].find((command) => spawnSync(command, ['--version']).error)
const skip = missing !== undefined && `${missing} is not on this machine`

/**
 * An answer that is no success ends the script. Not every machine has jq, and npm takes seconds to find the command.
 */
const prelude = `set -euo pipefail
curl() { command curl -sS --fail-with-body "$@"; }
jq() { "$NODE" '${jq}' "$@"; }
npx() { "$NODE" "bin/$1.js" "\${@:2}"; }
`

/** Returns the address of the server, and the account and key that its first start printed. */
function installation({ url, output }: ServerProcess) {
  const [, email, password] = /account +(\S+) +password +(\S+)/.exec(output()) ?? []
  const [key] = /ph_\w{32,}/.exec(output()) ?? []
  const [, smtpPort] = /"smtp":(\d+)/.exec(output()) ?? []
  assert.ok(email && password && key && smtpPort, output())
  const get = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return (await answer.json()) as { data: { status: string }[] }
  }
  return { url, email, password, key, smtpPort, get }
}

/** The variable `TEAM` where a document uses it, as it says. */
const teamOf = (script: string) => (script.includes('$TEAM') ? 'TEAM=$(npx posthorn team list | cut -f1)\n' : '')

type Installation = ReturnType<typeof installation>

/** Runs the commands of a document from top to bottom in one shell, with what a reader fills in. */
async function run(document: string, { url, email, password, key, smtpPort }: Installation, dataDir: string) {
  const script = scriptOf(document)
    .replaceAll('http://localhost:3000', url)
    .replaceAll('smtp://localhost:2587', `smtp://localhost:${smtpPort}`)
    .replaceAll('ph_…', key)
    // Nothing leaves this machine: private addresses are refused.
    .replaceAll(/https:\/\/(hooks\.slack\.com|example\.com(?=\/reports))/g, 'https://127.0.0.1:9')
  const env = { ...process.env, NODE: process.execPath, DATA_DIR: dataDir, EMAIL: email, PASSWORD: password }
  const shell = spawn('bash', ['-c', prelude + teamOf(script) + script], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(shell, 'close')
  assert.equal(code, 0, `${document} ended with ${code}:\n${output}`)
}

/** Runs a document on a new installation, and then `check`. */
async function runOnNew(document: string, check: (get: Installation['get']) => Promise<void> = async () => undefined) {
  const dataDir = makeDataFolder('documented')
  const server = await startServer({ DATA_DIR: dataDir, DASHBOARD: 'off', SMTP_PORT: '0' })
  try {
    const installed = installation(server)
    await run(document, installed, dataDir)
    await check(installed.get)
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

test('the commands of README.md run in its order, and send by each channel', { skip }, () =>
  runOnNew('README.md', async (get) => {
    const captured = async (channel: string) => (await get(`/v1/inbox${channel}`)).data.length
    assert.deepEqual([await captured(''), await captured('/sms'), await captured('/whatsapp')], [2, 1, 1])
  }),
)

test('the commands of docs/text-messages.md run in its order, and its customer has read and written', { skip }, () =>
  runOnNew('docs/text-messages.md', async (get) => {
    assert.deepEqual(pluck((await get('/v1/whatsapp/messages')).data, 'status'), ['received', 'read'])
  }),
)

for (const document of runDocuments.filter((name) => !/README|text-messages/.test(name))) {
  test(`the commands of ${document} run in its order`, { skip }, () => runOnNew(document))
}
