// needs: waiting
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPeer } from '../../src/workflows/fixtures/peer.ts'
import { promptMs } from '../patience.ts'
import type { ServerProcess } from '../server-process.ts'
import { call, createWorkshop, until } from './installation.ts'

const workshop = await createWorkshop()

type Node = { id: string; type: string; config: object }
type Execution = { id: string; status: string; error: string | null; nodes: { nodeId: string; status: string }[] }

async function install(more: Record<string, string> = {}) {
  const installed = await workshop.install({
    ...{ EMAIL_PROVIDER: 'capture', OUTBOUND_ALLOW: '127.0.0.0/8', LONG_DELAY: '1s' },
    ...more,
  })
  const { key } = installed

  /** Makes an active workflow of these nodes, with paths such as `start>a>b`. Returns the path of its executions. */
  async function make(server: ServerProcess, nodes: Node[], paths: string[]): Promise<string> {
    const made = await call(server, key, 'POST', '/v1/workflows', { name: 'Fault' })
    const path = `/v1/workflows/${(made.body as Execution).id}`
    const connections = paths.flatMap((text) => {
      const ids = text.split('>')
      return ids.slice(1).map((target, index) => ({ id: `${ids[index]}-${target}`, source: ids[index], target }))
    })
    const start = { id: 'start', type: 'manual' }
    const saved = await call(server, key, 'PATCH', path, { nodes: [start, ...nodes], connections })
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    assert.equal((await call(server, key, 'POST', `${path}/activate`)).status, 200)
    return `${path}/executions`
  }
  async function run(server: ServerProcess, executions: string, n: number): Promise<string> {
    const answer = await call(server, key, 'POST', executions, { triggerData: { n } }, `run ${n}`)
    assert.equal(answer.status, 200)
    return (answer.body as Execution).id
  }
  const get = async (server: ServerProcess, executions: string, id: string) =>
    (await call(server, key, 'GET', `${executions}/${id}`)).body as Execution
  async function allAre(status: string, server: ServerProcess, executions: string, ids: string[]) {
    // Those that are there are not asked for again, since a minute has 10,000 requests.
    const left = new Set(ids)
    await until(`all ${status}`, async () => {
      for (const id of left) {
        if ((await get(server, executions, id)).status !== status) return false
        left.delete(id)
      }
      return true
    })
  }
  return { ...installed, make, run, get, allAre }
}

const ask = (id: string, url: string): Node => {
  return { id, type: 'http_request', config: { method: 'POST', url: `${url}/${id}`, body: '{{trigger.n}}' } }
}
const delay = (id: string, duration: string): Node => ({ id, type: 'delay', config: { duration } })
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

test('after a kill another process finishes all executions, and repeats only requests in flight, with the same key', async () => {
  const { first, start, make, run, allAre } = await install()
  const peer = await startPeer()
  const nodes = ['a', 'b', 'c', 'd'].map((id) => ask(id, peer.url))
  const executions = await make(first, nodes, ['start>a>b>d', 'a>c>d'])
  const earlierNodes: Record<string, string[]> = { '/a': [], '/b': ['/a'], '/c': ['/a'], '/d': ['/a', '/b', '/c'] }
  let killed: Promise<void> | undefined
  /** The requests whose answers are recorded at the kill, because a later node of the run has begun. */
  const recorded = new Set<string>()
  peer.answer = (response, { path, body }) => {
    if (killed) return response.end()
    for (const earlier of earlierNodes[path]!) recorded.add(`${earlier} ${body}`)
    // At the kill some answers are recorded, some are on their way, and some are not sent.
    setTimeout(() => response.end(), 20)
    if (peer.asked.length >= 250) killed = first.kill()
  }
  const ids: string[] = []
  for (const n of range(100)) {
    const id = await run(first, executions, n).catch(() => null)
    if (id) ids.push(id)
  }
  await until('the kill', () => killed !== undefined)
  await killed
  const second = await start()
  // Accepted requests are recognised by their keys.
  await allAre('completed', second, executions, ids)
  const byKey = Map.groupBy(peer.asked, ({ headers }) => String(headers['idempotency-key']))
  for (const asked of byKey.values()) {
    assert.equal(
      new Set(asked.map(({ path, body }) => `${path} ${body}`)).size,
      1,
      'a key belongs to one node of one run',
    )
    assert.ok(asked.length <= 2)
  }
  assert.ok(recorded.size >= 20, `only ${recorded.size} were recorded: too few to tell anything`)
  const counts = Map.groupBy(peer.asked, ({ path, body }) => `${path} ${body}`)
  for (const request of recorded)
    assert.equal(counts.get(request)!.length, 1, `${request} was recorded, and asked again`)
  assert.equal(byKey.size, counts.size, 'a repeat has the same key')
  for (const n of ids.keys()) for (const { id } of nodes) assert.ok(counts.has(`/${id} ${n}`), `/${id} ${n}`)
})

test('after a kill during a slow request another process repeats it, and no earlier node', async () => {
  const { first, start, make, run, allAre, get } = await install()
  const second = await start()
  const peer = await startPeer()
  const nodes = ['before', 'beside', 'slow', 'join'].map((id) => ask(id, peer.url))
  const executions = await make(first, nodes, ['start>before>slow>join', 'start>beside>join'])
  let isDead = false
  peer.answer = (response, { path }) => {
    if (path !== '/slow' || isDead) response.end()
  }
  const id = await run(first, executions, 0)
  await until('the slow request', () => peer.asked.some(({ path }) => path === '/slow'))
  await until('the other branch', async () => {
    const { nodes } = await get(first, executions, id)
    return nodes.find(({ nodeId }) => nodeId === 'beside')?.status === 'completed'
  })
  isDead = true
  // One of them holds it, but the test cannot tell which.
  await Promise.all([first.kill(), second.kill()])
  const third = await start()
  await allAre('completed', third, executions, [id])
  const counts = Object.fromEntries(
    nodes.map((node) => [node.id, peer.asked.filter(({ path }) => path === `/${node.id}`).length]),
  )
  assert.deepEqual(counts, { before: 1, beside: 1, slow: 2, join: 1 })
  const slow = peer.asked.filter(({ path }) => path === '/slow').map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(slow).size, 1)
})

test('a delay fires once after a kill and a restart, though two processes look for it', async () => {
  const { first, start, make, run, allAre } = await install()
  const peer = await startPeer()
  // Longer than all of them take to begin.
  const nodes = [delay('wait', `${promptMs / 1000}s`), ask('after', peer.url)]
  const executions = await make(first, nodes, ['start>wait>after'])
  const ids = await Promise.all(range(50).map((n) => run(first, executions, n)))
  await allAre('waiting', first, executions, ids)
  await first.kill()
  assert.equal(peer.asked.length, 0)
  const second = await start()
  await start()
  await allAre('completed', second, executions, ids)
  assert.equal(peer.asked.length, 50)
})

test('a process that stops gives back its executions, and another continues before their leases end', async () => {
  const { first, start, make, run, allAre } = await install({ JOB_LEASE: '5m' })
  const peer = await startPeer()
  peer.answer = (response) => void setTimeout(() => response.end(), 300)
  const nodes = range(8).map((n) => ask(`n${n}`, peer.url))
  const executions = await make(first, nodes, [['start', ...nodes.map(({ id }) => id)].join('>')])
  const ids: string[] = []
  for (const n of range(5)) ids.push(await run(first, executions, n))
  await until('some of it is done', () => peer.asked.length >= 10)
  const second = await start()
  assert.equal(await first.stop(), 0)
  await allAre('completed', second, executions, ids)
  assert.equal(peer.asked.length, 40, 'nothing was cut off, and nothing repeated')
})

test('a small process runs and shows executions whose data as values would fill its memory', async () => {
  const { first, key, make, run } = await install({ NODE_OPTIONS: '--max-old-space-size=400' })
  // A quarter of a megabyte of JSON each, and five megabytes as values.
  const source = 'return Array.from({ length: 87000 }, () => ({}))'
  const nodes = range(100).map((n) => ({ id: `n${n}`, type: 'code', config: { source } }))
  const executions = await make(first, nodes, [['start', ...nodes.map(({ id }) => id)].join('>')])
  const ids = [await run(first, executions, 0), await run(first, executions, 1)]
  await until('both completed', async () => {
    const { data } = (await call(first, key, 'GET', `${executions}?status=completed`)).body as { data: Execution[] }
    return data.length === 2
  })
  for (const id of ids) {
    const answer = await fetch(`${first.url}${executions}/${id}`, { headers: { authorization: `Bearer ${key}` } })
    const text = await answer.text()
    assert.equal(answer.status, 200)
    assert(text.length > 25_000_000 && text.endsWith(']}'), `${text.length} characters`)
  }
  assert.equal(first.child.exitCode, null)
})
