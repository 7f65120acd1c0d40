import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createTestApp } from '../app.ts'
import { ownLauncher } from '../server-process.ts'

const posthorn = await createTestApp()
const url = await posthorn.server.listen({ port: 0, host: '127.0.0.1' })
const team = await posthorn.team()
const folder = mkdtempSync(join(tmpdir(), 'posthorn-cli-'))
after(() => rmSync(folder, { recursive: true }))

function start(...args: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  return spawn(process.execPath, [ownLauncher, ...args], { env })
}

async function run(stdin: string, ...args: string[]) {
  const child = start(...args)
  child.stdin!.end(stdin)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
  return { code, stdout, stderr }
}

test('posthorn logs in, and then sends with the saved key over the network', async () => {
  const login = await run(team.key, 'login', '--url', url)
  assert.deepEqual([login.code, login.stdout.split('\n')[0]], [0, `url: ${url}`], login.stderr)
  const flags = ['--from', `a@${team.domain}`, '--to', 'ada@example.test', '--subject', 'Hello', '--json']
  const sent = await run('From a pipe', 'send', ...flags)
  assert.deepEqual([sent.code, sent.stderr, JSON.parse(sent.stdout).text], [0, '', 'From a pipe'])
})

test('a server that is out of reach ends with 4', async () => {
  const { code, stdout, stderr } = await run('', 'limits', '--url', 'http://127.0.0.1:9', '--json')
  const { error } = JSON.parse(stderr)
  assert.deepEqual([code, stdout, error.status, error.name, error.requestId], [4, '', null, 'connection_error', null])
})

test('a command that is interrupted ends with 130', async () => {
  const child = start('mcp')
  child.stdin!.write('{"jsonrpc": "2.0", "id": 7, "method": "ping"}\n')
  await once(child.stdout!, 'data')
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [130, null])
})

test('posthorn --help lists the commands over HTTP before those of the server’s own machine', async () => {
  const { code, stdout } = await run('', '--help')
  const places = [
    '\n  login ',
    '\n  send ',
    '\n  emails ',
    'list, get, reschedule, cancel, events\n',
    '\n  posthorn serve ',
  ]
  const found = places.map((part) => stdout.indexOf(part))
  assert.deepEqual([code, found.includes(-1), found.toSorted((a, b) => a - b)], [0, false, found])
})
