import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchFrom } from '../sdk/server.ts'
import { slowTest } from '../slow.ts'
import { newCommandLine } from './command-line.ts'

const { app, folder, run, runIn } = await newCommandLine()

test('a large file has the time that a slow line takes, and a short request half a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const file = join(folder, 'large.bin')
  writeFileSync(file, Buffer.alloc(6_000_000))
  const data = join(folder, 'large.json')
  writeFileSync(data, JSON.stringify({ text: 'x'.repeat(6_000_000) }))
  const isCutAfter = async (ms: number, ...args: string[]) => {
    let isCut = false
    const fetch = async (_: unknown, init?: RequestInit) => {
      t.mock.timers.tick(ms)
      isCut = init!.signal!.aborted
      return Response.json({ id: 'x', to: [] })
    }
    await runIn({ env: { POSTHORN_API_KEY: 'ph_x' }, fetch }, ...args)
    return isCut
  }
  const email = ['send', '--from', 'a@b.test', '--to', 'c@d.test', '--subject', 'S', '--text', 'T']
  assert.equal(await isCutAfter(31_000, ...email), true)
  assert.equal(await isCutAfter(150_000, ...email, '--attach', file), false)
  assert.equal(await isCutAfter(31_000, 'api', 'GET', '/v1/emails'), true)
  assert.equal(await isCutAfter(120_000, 'api', 'POST', '/v1/topics', '--data', `@${data}`), false)
})

test('a table may have more rows than a call has arguments', async () => {
  const data = Array(200_000).fill({ id: 'x' })
  const fetch = async () => Response.json({ data, cursor: null, hasMore: false })
  const { code, stdout } = await runIn({ env: { POSTHORN_API_KEY: 'ph_x' }, fetch }, 'emails', 'list')
  assert.deepEqual([code, stdout.split('\n').length], [0, data.length + 2])
})

slowTest('verify --wait looks again where the server was out of reach for a moment', async () => {
  await run('domains', 'add', 'patient.example')
  let looks = 0
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const answer = await fetchFrom(app)(url, init)
    if (!String(url).endsWith('/verify')) return answer
    looks++
    if (looks === 2) return new Response('', { status: 503 })
    return looks === 1 ? Response.json({ ...((await answer.json()) as object), status: 'pending' }) : answer
  }
  const { code, stderr } = await runIn({ fetch }, 'domains', 'verify', 'patient.example', '--wait')
  assert.deepEqual([code, stderr, looks], [0, '', 3])
})
