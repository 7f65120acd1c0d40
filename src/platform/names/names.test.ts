import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { type Answer, NameError } from './ask-dns.ts'
import { createNames, type NamesOptions } from './names.ts'

/** Creates names with a manual clock. `asked` are the questions to DNS, which the test answers. */
function namesOf(options: Partial<NamesOptions> = {}) {
  const questions = new Map<string, PromiseWithResolvers<Answer>>()
  const world = { nowMs: 0, asked: [] as string[] }
  const names = createNames({
    servers: [],
    hosts: { find: async (host) => (host === 'listed.test' ? ['127.0.0.5'] : []) },
    now: () => world.nowMs,
    ask(host) {
      world.asked.push(host)
      const question = Promise.withResolvers<Answer>()
      questions.set(host, question)
      return question.promise
    },
    ...options,
  })
  return Object.assign(world, {
    names,
    answer: (host: string, ttlSeconds = 60, address = '192.0.2.1') =>
      questions.get(host)!.resolve({ addresses: [{ address, family: 4 }], ttlSeconds }),
    fail: (host: string, code: NameError['code']) => questions.get(host)!.reject(new NameError(host, code)),
  })
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const found = [{ address: '192.0.2.1', family: 4 }]

test('an answer is kept for the time to live of its records, and for a minute at most', async () => {
  for (const [ttlSeconds, keptMs] of [
    [5, 5000],
    [0, 1000],
    [86_400, 60_000],
  ] as const) {
    const world = namesOf()
    const first = world.names.resolve('A.test')
    await turn()
    world.answer('a.test', ttlSeconds)
    assert.deepEqual(await first, found)
    world.nowMs = keptMs - 1
    assert.deepEqual(await world.names.resolve('a.TEST'), found)
    assert.equal(world.asked.length, 1)
    world.nowMs = keptMs
    void world.names.resolve('a.test')
    await turn()
    assert.equal(world.asked.length, 2, `${ttlSeconds} s`)
  }
})

test('a failure is kept too: 30 s for a name that does not exist, 10 s without an answer', async () => {
  for (const [code, keptMs] of [
    ['ENOTFOUND', 30_000],
    ['EAI_AGAIN', 10_000],
  ] as const) {
    const world = namesOf()
    const first = world.names.resolve('a.test', 'team')
    await turn()
    world.fail('a.test', code)
    await assert.rejects(first, { code })
    world.nowMs = keptMs - 1
    await assert.rejects(world.names.resolve('a.test', 'other'), { code })
    assert.equal(world.asked.length, 1)
    world.nowMs = keptMs
    const again = world.names.resolve('a.test', 'team')
    await turn()
    world.answer('a.test')
    assert.deepEqual(await again, found)
  }
})

test('concurrent identical questions are asked once', async () => {
  const world = namesOf()
  const asking = ['one', 'two', undefined].map((team) => world.names.resolve('a.test', team))
  await turn()
  assert.deepEqual(world.asked, ['a.test'])
  world.answer('a.test')
  for (const answer of await Promise.all(asking)) assert.deepEqual(answer, found)
})

test('a team whose names have silent servers delays only itself', async () => {
  const world = namesOf()
  const asking = Array.from({ length: 50 }, (_, n) => world.names.resolve(`dead${n}.test`, 'hostile'))
  const dead = Promise.allSettled(asking)
  await turn()
  assert.equal(world.asked.length, 8)
  const healthy = world.names.resolve('healthy.test', 'honest')
  const relay = world.names.resolve('relay.test')
  // It waits in the queue of the other team; for this team it is asked at once.
  const shared = world.names.resolve('dead49.test', 'honest')
  await turn()
  for (const host of ['healthy.test', 'relay.test', 'dead49.test']) world.answer(host)
  for (const one of [healthy, relay, shared]) assert.deepEqual(await one, found)
  for (let n = 0; n < 49; n++) {
    await turn()
    world.fail(`dead${n}.test`, 'EAI_AGAIN')
  }
  const ended = await dead
  assert.equal(ended.filter(({ status }) => status === 'rejected').length, 49)
  assert.equal(new Set(world.asked).size, world.asked.length)
})

test('the queue of a team is limited, and further questions fail', async () => {
  const world = namesOf()
  const asking = Array.from({ length: 1008 }, (_, n) => world.names.resolve(`dead${n}.test`, 'hostile'))
  for (const one of asking) one.catch(() => undefined)
  await turn()
  await assert.rejects(world.names.resolve('more.test', 'hostile'), { code: 'EAI_AGAIN' })
  assert.equal(world.asked.length, 8)
})

test('names in the hosts file and addresses are not asked for', async () => {
  const world = namesOf()
  assert.deepEqual(await world.names.resolve('LISTED.test', 'team'), [{ address: '127.0.0.5', family: 4 }])
  assert.deepEqual(await world.names.resolve('192.0.2.7'), [{ address: '192.0.2.7', family: 4 }])
  assert.deepEqual(await world.names.resolve('::1'), [{ address: '::1', family: 6 }])
  assert.deepEqual(world.asked, [])
})

test('sockets look up their hosts here', async (context) => {
  const world = namesOf()
  const server = net.createServer((socket) => socket.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const { port } = server.address() as net.AddressInfo
  const socket = net.connect({ host: 'relay.test', port, lookup: world.names.lookup })
  await turn()
  world.answer('relay.test', 60, '127.0.0.1')
  const said = await new Promise((resolve) => socket.once('data', (data) => resolve(String(data))))
  assert.equal(said, 'hello')
})
