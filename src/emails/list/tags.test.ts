import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestTeam } from '../../../test/app.ts'
import { ok } from '../../../test/app.ts'
import { createWebhookApp, makeWebhook } from '../../webhooks/fixtures/app.ts'
import { startReceiver } from '../../webhooks/fixtures/receiver.ts'

const posthorn = await createWebhookApp()
const hourMs = 3_600_000

function email(team: TestTeam, subject: string, tags?: Record<string, unknown>, change: Record<string, unknown> = {}) {
  return {
    ...{ from: `a@${team.domain}`, to: ['ada@example.com'], subject, text: 'x' },
    ...(tags && { tags }),
    ...change,
  }
}

async function send(team: TestTeam, emails: object[]) {
  const sent = await ok(team.api.post('/v1/emails/batch', { emails }))
  return sent.data as { id: string; tags: unknown }[]
}

async function listed(team: TestTeam, query: string) {
  const answer = await ok(team.api.get(`/v1/emails?${query}`))
  const { data, total, cursor } = answer
  return { subjects: data.map(({ subject }: { subject: string }) => subject), total, cursor }
}

test('an email shows its tags in the answer and later', async () => {
  const team = await posthorn.team()
  const tags = { order: '1024', trial: true, count: 3, none: null }
  const [tagged, plain] = await send(team, [email(team, 'Tagged', tags), email(team, 'Plain')])
  assert.deepEqual([tagged!.tags, plain!.tags], [tags, null])
  assert.deepEqual((await team.api.get(`/v1/emails/${tagged!.id}`)).body.tags, tags)
  assert.equal((await team.api.get(`/v1/emails/${plain!.id}`)).body.tags, null)
})

test('the list is filtered by a tag, together with the other filters, and the total is exact', async () => {
  const team = await posthorn.team()
  const other = await posthorn.team()
  await send(team, [
    email(team, 'Parcel 1', { kind: 'parcel', 'a:b': 'c:d' }),
    email(team, 'Parcel 2', { kind: 'parcel' }),
    email(team, 'Letter', { kind: 'letter', big: 'x'.repeat(1000), count: 3, none: null }),
    email(team, 'Parcel 3', { kind: 'parcel' }),
  ])
  await send(other, [email(other, 'Foreign', { kind: 'parcel' })])
  const first = await listed(team, 'tag=kind:parcel&limit=2')
  assert.deepEqual([first.subjects, first.total], [['Parcel 3', 'Parcel 2'], 3])
  const second = await listed(team, `tag=kind:parcel&limit=2&cursor=${first.cursor}`)
  assert.deepEqual([second.subjects, second.total], [['Parcel 1'], 3])
  const finds: [query: string, subjects: string[]][] = [
    ['tag=kind:parcel&search=parcel%202', ['Parcel 2']],
    ['tag=kind:parcel&status=bounced', []],
    [`tag=kind:letter&domainId=${team.domainId}`, ['Letter']],
    ['tag=a:b:c:d', ['Parcel 1']],
    ['tag=count:3', ['Letter']],
    ['tag=none:null', ['Letter']],
    [`tag=big:${'x'.repeat(1000)}`, ['Letter']],
    ['tag=kind:Parcel', []],
  ]
  for (const [query, subjects] of finds) {
    const found = await listed(team, query)
    assert.deepEqual([found.subjects, found.total], [subjects, subjects.length], query)
  }
  const refused = await team.api.get('/v1/emails?tag=parcel')
  assert.equal(refused.status, 400)
  assert.match(refused.text, /name:value.*it was \\"parcel\\"/)
})

test('a stored total of a common tag stays exact', async () => {
  const team = await posthorn.team()
  const scheduledAt = new Date(posthorn.clock.now().getTime() + 1000 * hourMs).toISOString()
  const batch = Array.from({ length: 100 }, (_, n) => email(team, `${n}`, { kind: 'news' }, { scheduledAt }))
  const waiting = (await Promise.all(Array.from({ length: 4 }, () => send(team, batch)))).flat()
  const totals = async () => ({
    all: (await listed(team, 'limit=1&tag=kind:news')).total,
    scheduled: (await listed(team, 'limit=1&tag=kind:news&status=scheduled')).total,
  })
  for (const hours of [0, 30, 30]) {
    posthorn.clock.advance(hours * hourMs)
    assert.deepEqual(await totals(), { all: 400, scheduled: 400 })
  }
  await team.api.post(`/v1/emails/${waiting[0]!.id}/cancel`)
  await send(team, [email(team, 'One more', { kind: 'news' })])
  assert.deepEqual(await totals(), { all: 401, scheduled: 399 })
})

test('webhooks get the tags of the email in the details of each event', async () => {
  const team = await posthorn.team()
  const receiver = await startReceiver()
  await makeWebhook(team.api, receiver.url, ['email.sent', 'email.delivered'])
  await send(team, [email(team, 'Tagged', { order: '1024' })])
  await posthorn.runDueJobs()
  const told = receiver.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(told.map(({ type }) => type).sort(), ['email.delivered', 'email.sent'])
  for (const { data } of told) assert.deepEqual(data.details.tags, { order: '1024' })
})
