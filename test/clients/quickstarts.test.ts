import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { freePort } from '../free-port.ts'
import { patienceMs } from '../patience.ts'
import { startServer } from '../server-process.ts'
import { clientModules } from './modules.ts'
import { installIn } from './place.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = join(root, 'docs', 'quickstarts')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-quickstarts-'))
const smtpPort = String(await freePort())
const server = await startServer({ DATA_DIR: join(folder, 'data'), DASHBOARD: 'off', SMTP_PORT: smtpPort })
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
const [key = assert.fail(server.output())] = /ph_\w{32,}/.exec(server.output()) ?? []
const secret = 'whsec_of_the_quick_start'
const environment = {
  ...process.env,
  ...{ POSTHORN_API_KEY: key, POSTHORN_URL: server.url, SMTP_PORT: smtpPort, WEBHOOK_SECRET: secret },
}

installIn(folder, ['express', 'hono', '@hono/node-server', 'nodemailer'])

/** Writes the program of a page, whose first line names its file. Returns the path. */
function programOf(page: string): string {
  const [, name = assert.fail(page), code] =
    /```\w+\n(?:\/\/|#) (\S+)\n(.*?)```/s.exec(readFileSync(join(pages, page), 'utf8')) ?? []
  const path = join(folder, `${page.replace('.md', '')}-${name}`)
  writeFileSync(path, code!)
  return path
}

/** Counts the messages in the inbox. */
async function countInbox(): Promise<number> {
  const answer = await fetch(`${server.url}/v1/inbox?limit=100`, { headers: { authorization: `Bearer ${key}` } })
  return ((await answer.json()) as { data: unknown[] }).data.length
}

for (const page of ['express.md', 'hono.md']) {
  test(`the program of ${page} sends an email when it is asked to`, async () => {
    const port = await freePort()
    const child = spawn(process.execPath, [programOf(page)], {
      env: { ...environment, PORT: String(port) },
      stdio: 'inherit',
    })
    after(() => child.kill())
    const before = await countInbox()
    const answer = await ask(`http://localhost:${port}/sign-up`, { email: 'ada@example.com' })
    assert.match(((await answer.json()) as { id: string }).id, /^[0-9a-f-]{36}$/)
    assert.equal(await countInbox(), before + 1)
    if (page === 'express.md') await tellOfBounce(`http://localhost:${port}/webhooks`)
  })
}

/** Posts until the program listens. */
async function ask(url: string, body: unknown): Promise<Response> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    } catch (error) {
      if (Date.now() > until) throw error
      await setTimeout(50)
    }
  }
}

async function tellOfBounce(url: string): Promise<void> {
  const body = JSON.stringify({
    type: 'email.bounced',
    created_at: '2026-01-31T09:30:00.000Z',
    data: { email_id: 'x', details: null },
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': '1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 200)
}

test('the program of nodemailer.md sends an email', async () => {
  const before = await countInbox()
  execFileSync(process.execPath, [programOf('nodemailer.md')], { cwd: folder, env: environment, stdio: 'pipe' })
  assert.equal(await countInbox(), before + 1)
})

test('the program of python.md sends an email', async () => {
  const before = await countInbox()
  execFileSync('python3', [programOf('python.md')], { cwd: folder, env: environment, stdio: 'pipe' })
  assert.equal(await countInbox(), before + 1)
})

const runtimes = {
  'bun.md': join(clientModules, '@oven', 'bun-linux-x64-baseline', 'bin', 'bun'),
  'deno.md': join(clientModules, '@deno', 'linux-x64-glibc', 'deno'),
}
for (const [page, runtime] of Object.entries(runtimes)) {
  test(`the program of ${page} sends an email`, { skip: !existsSync(runtime) && 'for Linux on x64' }, async () => {
    const before = await countInbox()
    execFileSync(runtime, argumentsOf(page), { cwd: folder, env: environment, stdio: 'pipe' })
    assert.equal(await countInbox(), before + 1)
  })
}

/** Returns what follows the name of the runtime in the command that runs the page's program. */
function argumentsOf(page: string): string[] {
  const [, words = assert.fail(page)] = /^\w+ (run .*)\n```$/m.exec(readFileSync(join(pages, page), 'utf8')) ?? []
  return words.split(' ').map((word) => (word === 'send.ts' ? programOf(page) : word))
}

test('the SDK sends from an edge sandbox, which has the interfaces of the web and none of Node', async () => {
  const entry = join(folder, 'edge.mjs')
  writeFileSync(entry, `export { Posthorn } from '@posthorn/sdk'\n`)
  const { output } = await build({ input: entry, cwd: folder, write: false, output: { format: 'iife', name: 'sdk' } })
  const { EdgeVM } = createRequire(join(clientModules, 'x.js'))('@edge-runtime/vm')
  const sandbox = new EdgeVM()
  const send = `new sdk.Posthorn(${JSON.stringify(key)}, { baseUrl: ${JSON.stringify(server.url)} }).emails.send({
    from: 'hello@sandbox.test', to: 'ada@example.com', subject: 'From the edge', text: 'Hello' })`
  const before = await countInbox()
  const { id } = await sandbox.evaluate(`${output[0].code};${send}`)
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.equal(await countInbox(), before + 1)
})

test('each page is short and is in the list', () => {
  const list = readFileSync(join(pages, 'README.md'), 'utf8')
  for (const page of readdirSync(pages).filter((name) => name !== 'README.md')) {
    assert.ok(list.includes(`(${page})`), page)
    assert.ok(readFileSync(join(pages, page), 'utf8').split('\n').length <= 45, page)
  }
})
