import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuthenticationError, Posthorn, type StreamedEntry } from '../../sdk/src/index.ts'
import { verifyWebhook } from '../../sdk/src/webhooks.ts'
import { readOnceThere } from '../../src/feed/fixtures/read-all.ts'
import { createTestApp } from '../app.ts'
import { slowTest } from '../slow.ts'

const app = await createTestApp()
const url = await app.server.listen({ port: 0, host: '127.0.0.1' })

/** Returns a client whose connections end after so many events, and what sends an email. */
async function newReader(eventsMax = Number.POSITIVE_INFINITY) {
  const team = await app.team()
  let opened = 0
  const cut: typeof fetch = async (path, init) => {
    opened++
    const answer = await fetch(path, init)
    return new Response(answer.body!.pipeThrough(endAfter(eventsMax)), answer)
  }
  const posthorn = new Posthorn(team.key, { baseUrl: url, fetch: cut })
  const send = async (subject: string) => {
    const email = { from: `hello@${team.domain}`, to: ['ada@example.com'], subject, text: 'Hello' }
    const { id } = (await team.api.post('/v1/emails', email)).body
    await app.runDueJobs()
    return id as string
  }
  return { posthorn, team, send, opened: () => opened }
}

/** Passes so many events on, and then ends as a connection does. */
function endAfter(eventsMax: number): TransformStream<Uint8Array, Uint8Array> {
  let left = eventsMax
  return new TransformStream({
    transform(chunk, controller) {
      // An event ends with an empty line. Comments are no events.
      for (const block of Buffer.from(chunk)
        .toString()
        .split(/(?<=\n\n)/)) {
        controller.enqueue(Buffer.from(block))
        if (block.includes('event: ') && --left === 0) return controller.terminate()
      }
    },
  })
}

slowTest('the stream yields each entry once, also when its connections end', async () => {
  const { posthorn, team, send, opened } = await newReader(2)
  for (const subject of ['One', 'Two', 'Three']) await send(subject)
  const entries = await readOnceThere(team.api, 6)
  const [begin, ...expected] = entries.map(({ id }) => id)
  const read: string[] = []
  for await (const { id } of posthorn.feed.stream({ after: begin! })) if (read.push(id) === expected.length) break
  assert.deepEqual(read, expected)
  assert.ok(opened() > 1)
})

test('a signed entry has the headers and the body of a webhook, whose secret the stream tells', async () => {
  const { posthorn, send } = await newReader()
  let secret = ''
  let ready = () => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  const stream = posthorn.feed.stream({
    ...{ types: ['email.sent'], signed: true },
    onReady({ signingSecret = '' }) {
      secret = signingSecret
      ready()
    },
  })
  const first = stream.next()
  await isReady
  const id = await send('Signed')
  const { value } = await first
  const { headers, body } = value as StreamedEntry
  const far = { toleranceSeconds: Number.MAX_SAFE_INTEGER }
  assert.equal((await verifyWebhook(body!, headers!, secret, far)).data.email_id, id)
  await stream.return()
})

test('an abort ends the stream with its reason, and a bad key is a refusal', async () => {
  const { posthorn } = await newReader()
  const reason = new Error('enough')
  const controller = new AbortController()
  const waiting = posthorn.feed.stream({ signal: controller.signal, onReady: () => controller.abort(reason) }).next()
  await assert.rejects(waiting, reason)
  await assert.rejects(new Posthorn('ph_unknown', { baseUrl: url }).feed.stream().next(), AuthenticationError)
})

test('an entry that holds a line separator is read like any other, and a list of the feed goes on page by page', async () => {
  const { posthorn, team } = await newReader()
  const email = { from: `hello@${team.domain}`, to: ['ada@example.com'], subject: 'Hello', text: 'Hello' }
  for (const note of ['plain', 'one\u2028two', 'last']) await team.api.post('/v1/emails', { ...email, tags: { note } })
  await app.runDueJobs()
  const entries = await readOnceThere(team.api, 6)
  const expected = entries.map(({ id }) => id)
  const read: string[] = []
  for await (const { id } of posthorn.feed.stream({ after: expected[0]! }))
    if (read.push(id) === expected.length - 1) break
  assert.deepEqual(read, expected.slice(1))
  const listed = await posthorn.feed.list({ after: expected[0]!, limit: 2 }).all()
  assert.deepEqual(
    listed.map(({ id }) => id),
    expected.slice(1),
  )
})

test('a fault of the caller’s own function ends the stream', async () => {
  const { posthorn } = await newReader()
  const fault = new Error('of the caller')
  const onReady = () => {
    throw fault
  }
  await assert.rejects(posthorn.feed.stream({ onReady }).next(), fault)
})

test('the stream comes back to the place that the server told it without an entry', async () => {
  const asked: (string | null)[] = []
  const parts = ['id: a\nevent: ready\ndata: {}\n\n:\nid: b\n\n:\n\n', 'id: c\nevent: email.sent\ndata: {"id":"c"}\n\n']
  const fetchOfParts: typeof fetch = async (_path, init) => {
    asked.push(new Headers(init?.headers).get('last-event-id'))
    return new Response(parts.shift(), { headers: { 'content-type': 'text/event-stream' } })
  }
  const posthorn = new Posthorn('ph_test', { baseUrl: url, fetch: fetchOfParts })
  const places: string[] = []
  const onPlace = (id: string) => void places.push(id)
  const { value } = await posthorn.feed.stream({ types: ['email.sent'], onPlace }).next()
  assert.equal((value as StreamedEntry).id, 'c')
  assert.deepEqual(places, ['b'])
  assert.deepEqual(asked, [null, 'b'])
})

slowTest('a server that has not served the stream is asked three times, and its refusal is thrown', async () => {
  let asked = 0
  const full: typeof fetch = async () => {
    asked++
    const body = { status_code: 503, name: 'unavailable', message: 'The team has 20 streams of the feed open.' }
    return Response.json(body, { status: 503, headers: { 'x-request-id': 'r' } })
  }
  const posthorn = new Posthorn('ph_test', { baseUrl: url, fetch: full })
  await assert.rejects(posthorn.feed.stream().next(), /The team has 20 streams of the feed open/)
  assert.equal(asked, 3)
})
