import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticate } from 'mailauth'
import { createTestApp, ok, type TestApp, type TestTeam } from '../../test/app.ts'
import { pluck } from '../../test/pluck.ts'
import { startAmazon } from '../emails/providers/ses/fixtures/amazon.ts'
import { createAudience, createTopic } from './fixtures/audience.ts'

const posthorn = await createTestApp()

async function sendBroadcast(
  posthorn: TestApp,
  team: TestTeam,
  fields: { segmentId: string; topicId?: string },
): Promise<string> {
  const content = { name: 'News', from: `news@${team.domain}`, subject: 'News', html: '<p>News</p>' }
  const { body } = await team.api.post('/v1/broadcasts', { ...content, ...fields })
  assert.equal((await team.api.post(`/v1/broadcasts/${body.id}/send`)).status, 200)
  await posthorn.runDueJobs()
  return body.id
}

/** Returns the newest message of the inbox as it was handed over. */
async function newestMessage(team: TestTeam): Promise<string> {
  const [newest] = (await team.api.get('/v1/inbox?limit=1')).body.data
  return (await team.api.get(`/v1/inbox/${newest.id}`, { accept: 'message/rfc822' })).text
}

/** Returns the values of a header field, unfolded, wherever it occurs before the body. */
function valuesOf(message: string, name: string): string[] {
  const [header = ''] = message.split('\r\n\r\n')
  const fields = header.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return fields.filter((field) => field.startsWith(`${name}:`)).map((field) => field.slice(name.length + 1).trim())
}

/** Returns what a receiver makes of the message's DKIM signature, by the records of the team's domain. */
async function checkSignature(team: TestTeam, message: string) {
  const { records } = (await team.api.get(`/v1/domains/${team.domainId}`)).body as {
    records: { name: string; value: string }[]
  }
  const resolver = async (name: string) => records.filter((one) => one.name === name).map(({ value }) => [value])
  const options = { resolver, trustReceived: false, disableArc: true, disableBimi: true }
  const { dkim } = await authenticate(Buffer.from(message), options)
  return dkim.results[0]?.status?.result
}

test('an email of a broadcast names its list once and its feedback ids once, and the signature covers both', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, [{ email: 'ada@people.test' }])
  const id = await sendBroadcast(posthorn, team, { segmentId })
  const message = await newestMessage(team)
  assert.deepEqual(valuesOf(message, 'List-Id'), [`<${segmentId}.${team.domain}>`])
  const [feedback = '', ...more] = valuesOf(message, 'Feedback-ID')
  assert.deepEqual(more, [])
  const [broadcastId, audienceId, kind, sender = '', ...rest] = feedback.split(':')
  assert.deepEqual([broadcastId, audienceId, kind, rest], [id, segmentId, 'broadcast', []])
  assert.match(sender, /^[\w-]{5,15}$/)
  const [signature = ''] = valuesOf(message, 'DKIM-Signature')
  const signed = /h=([^;]+)/.exec(signature)![1]!.replaceAll(/\s/g, '').split(':')
  assert.deepEqual(
    ['list-id', 'feedback-id'].map((name) => signed.filter((each) => each === name).length),
    [1, 1],
  )
  assert.equal(await checkSignature(team, message), 'pass')
  assert.notEqual(await checkSignature(team, message.replace(`<${segmentId}.`, '<other.')), 'pass')
  assert.notEqual(await checkSignature(team, message.replace(':broadcast:', ':receipt:')), 'pass')
})

test('two broadcasts to one audience have the same List-Id and sender, and those to a topic are named by the topic', async () => {
  const team = await posthorn.team()
  const { segmentId, contactIds } = await createAudience(posthorn, team, [{ email: 'bob@people.test' }])
  const topicId = await createTopic(posthorn, team, contactIds)
  const sent = []
  for (const fields of [{ segmentId }, { segmentId }, { segmentId, topicId }]) {
    await sendBroadcast(posthorn, team, fields)
    const message = await newestMessage(team)
    sent.push({ list: valuesOf(message, 'List-Id')[0], feedback: valuesOf(message, 'Feedback-ID')[0]!.split(':') })
  }
  const [segment, topic] = [`<${segmentId}.${team.domain}>`, `<${topicId}.${team.domain}>`]
  assert.deepEqual(pluck(sent, 'list'), [segment, segment, topic])
  assert.equal(new Set(sent.map(({ feedback }) => feedback[0])).size, 3)
  assert.equal(new Set(sent.map(({ feedback }) => feedback[3])).size, 1)
  assert.equal(sent[2]!.feedback[1], topicId)
})

test('single emails and tests of a broadcast have neither field, and an email may bring its own', async () => {
  const team = await posthorn.team()
  const { segmentId } = await createAudience(posthorn, team, [])
  const from = `news@${team.domain}`
  const content = { from, subject: 'News', text: 'News' }
  const { body } = await team.api.post('/v1/broadcasts', { name: 'News', segmentId, ...content })
  await ok(team.api.post(`/v1/broadcasts/${body.id}/test`, { to: ['me@people.test'] }))
  const ofTest = await newestMessage(team)
  assert.deepEqual([valuesOf(ofTest, 'List-Id'), valuesOf(ofTest, 'Feedback-ID')], [[], []])
  const own = { 'List-Id': 'Orders <orders.shop.example>', 'Feedback-ID': 'order:shop1' }
  await ok(team.api.post('/v1/emails', { ...content, to: ['ada@people.test'], headers: own }))
  const single = await newestMessage(team)
  assert.deepEqual(
    [valuesOf(single, 'List-Id'), valuesOf(single, 'Feedback-ID')],
    [[own['List-Id']], [own['Feedback-ID']]],
  )
  assert.equal(await checkSignature(team, single), 'pass')
})

test('Amazon SES adds a Feedback-ID of its own, and the signature stays valid', async () => {
  const amazon = await startAmazon()
  const withAmazon = await createTestApp(amazon.environment)
  const team = await withAmazon.team()
  const { segmentId } = await createAudience(withAmazon, team, [{ email: 'ada@people.test' }])
  await sendBroadcast(withAmazon, team, { segmentId })
  const message = Buffer.from(amazon.sent.at(-1)!.Content.Raw.Data, 'base64').toString()
  assert.deepEqual(valuesOf(message, 'List-Id'), [`<${segmentId}.${team.domain}>`])
  assert.deepEqual(valuesOf(message, 'Feedback-ID'), [])
  const own = { 'Feedback-ID': 'order:shop1' }
  const single = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Order', text: 'Order', headers: own }
  assert.equal((await team.api.post('/v1/emails', single)).status, 200)
  const order = Buffer.from(amazon.sent.at(-1)!.Content.Raw.Data, 'base64').toString()
  assert.deepEqual(valuesOf(order, 'Feedback-ID'), [own['Feedback-ID']])
  for (const handedOver of [message, order]) {
    const changed = handedOver.replace('\r\n\r\n', '\r\nFeedback-ID: 1.us-east-1.x:AmazonSES\r\n\r\n')
    assert.equal(await checkSignature(team, changed), 'pass')
  }
})
