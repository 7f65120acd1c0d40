import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { connectionOver, startMcp } from '../../src/mcp/fixtures/client.ts'
import { ownLauncher } from '../server-process.ts'
import { slowTest } from '../slow.ts'

const { posthorn, url } = await startMcp()
const team = await posthorn.team()
const environment = { PATH: process.env.PATH!, POSTHORN_API_KEY: team.key, POSTHORN_URL: url }

const connect = (...args: string[]) =>
  connectionOver(
    new StdioClientTransport({
      command: process.execPath,
      args: [ownLauncher, 'mcp', ...args],
      env: environment,
    }) as Transport,
  )

/** Runs the command with lines on stdin, until it ends by itself. */
async function run(lines: string[], args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [ownLauncher, 'mcp', ...args], { env: { ...environment, ...env } })
  child.stdin.end(lines.join('\n'))
  const code = new Promise((resolve) => child.on('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { stdout, stderr, code: await code }
}

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

test('a client that starts posthorn mcp lists tools, sends an email, and is held to the rules of its options', async () => {
  const { client, names, call } = await connect(
    '--allow-to',
    'ada@example.com,*@allowed.test',
    '--from',
    `a@${team.domain}`,
  )
  try {
    assert.ok((await names()).includes('send_email') && !(await names()).includes('send_sms'))
    const email = { subject: 'line separators \u2028 stay', text: 'Hi' }
    const sent = await call('send_email', { ...email, to: ['Ada <ada@example.com>'] })
    assert.deepEqual([sent.isError, sent.body.subject], [false, email.subject], sent.text)
    assert.equal((await call('send_email', { ...email, to: ['eve@other.test'] })).isError, true)
    assert.equal((await call('list_inbox')).body.data.length, 1)
  } finally {
    await client.close()
  }
})

test('a number of an answer keeps all its digits', async () => {
  const properties = '{"n":12345678901234567890}'
  const params = `{"name":"create_contact","arguments":{"email":"long@example.com","properties":${properties}}}`
  const { stdout } = await run([`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":${params}}`])
  assert.ok(stdout.includes(`"properties":${properties}`), stdout)
})

test('with --read-only and --toolsets the command shows the tools that read', async () => {
  const { client, names } = await connect('--read-only', '--toolsets', 'admin')
  const shown = await names()
  await client.close()
  assert.deepEqual([shown.includes('list_api_keys'), shown.includes('send_email')], [true, false])
})

slowTest('stdout holds the protocol only, and neither it nor stderr the key', async () => {
  const { stdout, stderr, code } = await run([
    '',
    JSON.stringify(ping),
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  ])
  assert.deepEqual([JSON.parse(stdout), stderr, code], [{ jsonrpc: '2.0', id: 7, result: {} }, '', 0])
  for (const [args, env, words] of [
    [[], { POSTHORN_API_KEY: `ph_${'0'.repeat(40)}` }, 'authentication_error: This API key does not exist'],
    [['--toolsets', 'every'], {}, 'validation_error: toolsets: there is no "every"'],
    [['--url', 'http://127.0.0.1:1'], {}, 'http://127.0.0.1:1 cannot be reached'],
  ] as [string[], Record<string, string>, string][]) {
    const refused = await run([JSON.stringify(ping)], args, env)
    const { id, error } = JSON.parse(refused.stdout)
    assert.deepEqual([id, error.message.slice(0, words.length)], [7, words])
    assert.ok(refused.stderr.startsWith(`posthorn mcp: ${words}`), refused.stderr)
    const key = env.POSTHORN_API_KEY ?? team.key
    assert.ok(!(refused.stdout + refused.stderr).includes(key))
  }
})

test('without a key the command says how to give one', async () => {
  const { stdout, stderr, code } = await run([], [], { POSTHORN_API_KEY: '' })
  assert.deepEqual([stdout, code], ['', 3])
  assert.match(stderr, /^no_key: Give an API key with --key, or in POSTHORN_API_KEY\./)
})
