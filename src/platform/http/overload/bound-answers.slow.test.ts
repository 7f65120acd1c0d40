import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createTestApp, type TestTeam } from '../../../../test/app.ts'
import { listen, speak } from '../../../../test/wire.ts'

const posthorn = await createTestApp({ EMAIL_PROVIDER: 'capture' })
const port = await listen(posthorn)
const open = new Set<Socket>()
/** Responses by the port that a request comes from. */
const responses = new Map<number, ServerResponse[]>()
posthorn.server.server.on('request', (request, response) => responses.get(request.socket.remotePort!)?.push(response))
after(hangUp)

function hangUp(): void {
  for (const socket of open) socket.destroy()
}

const length = 4_000_000
const tomorrow = () => new Date(posthorn.clock.now().getTime() + 86_400_000).toISOString()

async function sendLarge(team: TestTeam, extra: Record<string, unknown> = {}): Promise<string> {
  const email = { from: `a@${team.domain}`, to: ['ada@example.com'], subject: 'x', html: 'x'.repeat(length) }
  const answer = await team.api.post('/v1/emails', { ...email, ...extra })
  assert.equal(answer.status, 200, answer.text.slice(0, 500))
  return answer.body.id
}

const getOf = (team: TestTeam, path: string, more: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${team.key}\r\n${more}\r\n`

type Unread = { socket: Socket; answers: ServerResponse[] }

/** Sends `count` requests on one connection and waits until all are answered, without reading the answers. */
async function leaveUnread(team: TestTeam, path: string, count: number, more: string): Promise<Unread> {
  const socket = connect({ port, host: '127.0.0.1' })
  open.add(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const answers: ServerResponse[] = []
  responses.set(socket.localPort!, answers)
  socket.write(getOf(team, path, more).repeat(count))
  while (answers.length < count || !answers.every(({ headersSent }) => headersSent)) await setImmediate()
  return { socket, answers }
}

/** One connection after the other: a large read that waits for others of its team for seconds is refused. */
async function leaveManyUnread(team: TestTeam, connections: number, path: string, count: number, more = '') {
  const unread: Unread[] = []
  for (let n = 0; n < connections; n++) unread.push(await leaveUnread(team, path, count, more))
  return unread
}

function statusesOf(unread: Unread[]): number[] {
  return unread.flatMap(({ answers }) => answers.map(({ statusCode }) => statusCode)).sort()
}

async function assertWhole(team: TestTeam, path: string): Promise<void> {
  const answer = await speak(port, getOf(team, path, 'Connection: close\r\n'))
  assert.match(answer, /^HTTP\/1\.1 200 /)
  assert.equal(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).html.length, length)
}

test('a client that leaves 200 large answers unread is refused more of them, and others get their answers whole', async () => {
  const [team, other] = [await posthorn.team(), await posthorn.team()]
  const [path, others] = [`/v1/emails/${await sendLarge(team)}`, `/v1/emails/${await sendLarge(other)}`]
  for (let round = 0; round < 2; round++) {
    const unread = await leaveManyUnread(team, 50, path, 4)
    const [sent, refused] = [200, 503].map((status) => statusesOf(unread).filter((one) => one === status).length)
    assert.equal(sent! + refused!, 200)
    // The kernel buffers the first answers of each connection, one or two.
    assert.ok(sent! >= 20 && refused! >= 50, `${sent} were sent, ${refused} refused`)
    await assertWhole(other, others)
    assert.equal((await team.api.get('/v1/emails?limit=1')).status, 200, 'a small answer is never refused')
    hangUp()
    // The server notices a moment later that the connection is closed.
    while ((await team.api.get(path)).status !== 200) await setImmediate()
  }
})

/** Makes `/v1/broadcasts` a list of 4 MB. */
async function draftLarge(team: TestTeam): Promise<void> {
  const { id: segmentId } = (await team.api.post('/v1/segments', { name: 'All' })).body
  const draft = { name: 'Draft', from: `a@${team.domain}`, segmentId, subject: 's', html: 'x'.repeat(1_000_000) }
  for (let n = 0; n < 4; n++) assert.equal((await team.api.post('/v1/broadcasts', draft)).status, 201)
}

/**
 * Returns the path of a captured message of 27 MB, more than the kernel buffers, and the headers of a request for it.
 */
async function captureLarge(team: TestTeam): Promise<[string, string]> {
  await sendLarge(team, { attachments: [{ filename: 'a', content: Buffer.alloc(16_900_000).toString('base64') }] })
  const { id } = (await team.api.get('/v1/inbox')).body.data[0]
  return [`/v1/inbox/${id}`, 'Accept: message/rfc822\r\n']
}

test('a write is either refused before it happens or answered, even if its team leaves answers unread', async () => {
  const team = await posthorn.team()
  const id = await sendLarge(team, { scheduledAt: tomorrow() })
  await draftLarge(team)
  const [path, accept] = await captureLarge(team)
  const unread = await leaveManyUnread(team, 6, path, 1, accept)
  assert.deepEqual(statusesOf(unread), [200, 200, 200, 200, 503, 503])
  assert.equal((await team.api.get('/v1/broadcasts')).status, 503)
  const refused = await team.api.post(`/v1/emails/${id}/cancel`)
  assert.deepEqual([refused.status, refused.body.name, refused.headers['retry-after']], [503, 'unavailable', '2'])
  assert.match(refused.body.message, /Read those that were sent/)
  await sendLarge(team, { subject: 'This happens' })
  const listed = (await team.api.get('/v1/emails?limit=100')).body.data
  const statusOf = (wanted: (email: { id: string; subject: string }) => boolean) => listed.find(wanted)?.status
  assert.equal(
    statusOf((email) => email.subject === 'This happens'),
    'delivered',
  )
  assert.equal(
    statusOf((email) => email.id === id),
    'scheduled',
  )
  hangUp()
})

test('a client that does not read its answer is cut off', async () => {
  const team = await posthorn.team()
  const { answers } = await leaveUnread(team, (await captureLarge(team))[0], 1, 'Accept: message/rfc822\r\n')
  const closed = once(answers[0]!.socket!, 'close')
  posthorn.clock.advance(200_000)
  await closed
})
