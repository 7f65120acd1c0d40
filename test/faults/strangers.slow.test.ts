import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWorkshop } from './installation.ts'
import { createTown, type Town } from './town.ts'

const workshop = await createWorkshop()

/** Requests enough for caches, queues and budgets to fill. */
type Flood = { callers: number; requests: number }

/** Lets callers send requests until all are sent, while the honest team works. The process must survive it. */
async function flood(
  town: Town,
  { callers, requests }: Flood,
  attack: (turn: number) => Promise<unknown>,
): Promise<void> {
  let turn = 0
  const caller = async () => {
    // A refused or reset connection is an answer too.
    while (turn < requests) await attack(turn++).catch(() => sleep(10))
  }
  const floods = Array.from({ length: callers }, caller)
  try {
    do await town.honestDay()
    while (turn < requests)
  } finally {
    turn = requests
    await Promise.all(floods)
  }
  await leave(town)
}

async function leave({ server, honestDay }: Town): Promise<void> {
  await honestDay()
  assert.equal(server.child.exitCode ?? server.child.signalCode, null, 'the process outlives it')
  await server.stop()
}

/** Nine bytes each, as short as so many names can be. */
const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`
const address = '198.51.100.99'

test('a megabyte of JSON members at the login, from one address, delays no honest team', async () => {
  const town = await createTown(workshop, { PUBLIC_REQUESTS_PER_MINUTE: '6000' })
  const body = members(110_000)
  await flood(town, { callers: 16, requests: 1000 }, () => town.callerAt(address).call('POST', '/auth/login', body))
})

test('a megabyte of JSON members at unknown paths and public triggers delays no honest team', async () => {
  const town = await createTown(workshop, { PUBLIC_REQUESTS_PER_MINUTE: '6000' })
  const body = members(110_000)
  const paths = ['/nothing', '/v1/workflows/triggers/unknown', '/unsubscribe']
  await flood(town, { callers: 16, requests: 1000 }, (turn) =>
    town.callerAt(address).call('POST', paths[turn % paths.length]!, body),
  )
})

test('three million template variables in one request of a free team delay no honest team', async () => {
  const town = await createTown(workshop)
  const start = '{"from":"a@b.test","to":["ada@example.com"],"subject":"s","text":"t","templateVariables":'
  const body = `${start}${members(3_000_000)}}`
  await flood(town, { callers: 2, requests: 30 }, () => town.hostile.call('POST', '/v1/emails', body))
})

test('drafts of a megabyte each, listed four times at once, delay no honest team', async () => {
  const town = await createTown(workshop)
  const { hostile } = town
  await town.command('team', 'set-limits', hostile.teamId, 'apiRequestsPerMinute=100000')
  const segment = JSON.parse((await hostile.call('POST', '/v1/segments', { name: 'All' })).text)
  const html = 'x'.repeat(1_000_000)
  const draft = { name: 'Draft', from: 'a@b.test', segmentId: segment.id, subject: 's', html }
  for (let count = 0; count < 100; count++) await hostile.call('POST', '/v1/broadcasts', draft)
  await flood(town, { callers: 4, requests: 80 }, () => hostile.call('GET', '/v1/broadcasts'))
})

test('250 logins of one address whose bodies never end delay no honest team', async () => {
  const town = await createTown(workshop)
  const { hostname, port } = new URL(town.server.url)
  const head = [
    'POST /auth/login HTTP/1.1',
    'host: posthorn.test',
    `x-forwarded-for: ${address}`,
    'content-type: application/json',
    'content-length: 1000000',
  ].join('\r\n')
  const sockets = Array.from({ length: 250 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(`${head}\r\n\r\n"${'x'.repeat(900_000)}`)
    return socket
  })
  // Time for the server's buffers to fill.
  await sleep(3000)
  try {
    for (let day = 0; day < 5; day++) await town.honestDay()
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await leave(town)
})

test('250 large answers that one team never reads delay no honest team', async () => {
  const town = await createTown(workshop)
  const { hostile } = town
  const domain = await town.addDomain(hostile)
  const attachments = [{ filename: 'large', content: Buffer.alloc(25 * 1024 * 1024 - 100_000).toString('base64') }]
  const email = { from: `a@${domain}`, to: ['ada@example.com'], subject: 'x', html: 'x'.repeat(4_500_000), attachments }
  const sent = await hostile.call('POST', '/v1/emails', email)
  assert.equal(sent.status, 200, sent.text.slice(0, 500))
  const [message] = JSON.parse((await hostile.call('GET', '/v1/inbox')).text).data
  const sockets = Array.from({ length: 250 }, (_, n) =>
    askUnread(town, n % 2 === 0 ? `/v1/inbox/${message.id}` : `/v1/emails/${message.emailId}`),
  )
  try {
    for (let day = 0; day < 10; day++) await town.honestDay()
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await leave(town)
})

/** Asks as the hostile team and does not read the answer. */
function askUnread({ server, hostile }: Town, path: string): Socket {
  const { hostname, port } = new URL(server.url)
  const head = [
    `GET ${path} HTTP/1.1`,
    'host: posthorn.test',
    `x-forwarded-for: ${hostile.address}`,
    `authorization: Bearer ${hostile.token}`,
    'accept: message/rfc822, application/json;q=0.5',
  ].join('\r\n')
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(`${head}\r\n\r\n`)
  return socket
}

test('wrong passwords from many addresses do not lock out an owner who has signed in before', async () => {
  const town = await createTown(workshop)
  const guess = { email: town.honestEmail, password: 'guess guess guess' }
  await flood(town, { callers: 8, requests: 2500 }, (turn) =>
    town.callerAt(`198.51.${turn % 250}.7`).call('POST', '/auth/login', guess),
  )
})

test('made-up unsubscribe tokens delay no honest team', async () => {
  const town = await createTown(workshop)
  await flood(town, { callers: 16, requests: 8000 }, (turn) =>
    town.callerAt(address).call('POST', `/unsubscribe?token=${String(turn).padStart(43, 'x')}`),
  )
})
