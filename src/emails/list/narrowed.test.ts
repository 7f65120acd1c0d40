import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok, type TestTeam } from '../../../test/app.ts'
import { readPages } from '../../../test/pages.ts'

const posthorn = await createTestApp()

async function send(team: TestTeam, subject: string, fields: object = {}): Promise<Date> {
  posthorn.clock.advance(60_000)
  const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject, text: 'x', ...fields }
  const body = await ok(team.api.post('/v1/emails', email))
  return new Date(body.createdAt)
}

async function list(team: TestTeam, query: Record<string, string>): Promise<[string[], number]> {
  const pages = await readPages(team.api, `/v1/emails?${new URLSearchParams({ limit: '2', ...query })}`)
  const subjects = pages.flatMap(({ data }) => data.map(({ subject }: { subject: string }) => subject))
  return [subjects, pages.at(-1).total]
}

test('emails are found by a whole address in to, cc or bcc, whatever its case and name', async () => {
  const team = await posthorn.team()
  await send(team, 'to', { to: ['Bob <bob@people.test>', 'ada@people.test'] })
  await send(team, 'cc', { cc: ['"B <x@y.test>" <BOB@people.test>'] })
  await send(team, 'bcc', { bcc: ['bob@people.test'] })
  await send(team, 'other', { to: ['bob@people.test.example', 'xbob@people.test'] })
  assert.deepEqual(await list(team, { recipient: 'Bob@People.test' }), [['bcc', 'cc', 'to'], 3])
  assert.deepEqual(await list(team, { recipient: 'bob@people.test', search: 'CC' }), [['bcc', 'cc'], 2])
  assert.deepEqual(await list(team, { recipient: 'bob@people.tes' }), [[], 0])
})

test('emails are found by an address in either form of its domain, by recipient and by find', async () => {
  const team = await posthorn.team()
  await send(team, 'unicode', { to: ['Bob <bob@bücher.test>'], tags: { kind: 'x' } })
  await send(team, 'punycode', { cc: ['bob@XN--bcher-kva.test'], tags: { kind: 'x' } })
  await send(team, 'other', { to: ['bob@bucher.test'], tags: { kind: 'x' } })
  for (const text of ['bob@bücher.test', 'BOB@Bücher.test', 'bob@xn--bcher-kva.test', 'Bob@XN--BCHER-KVA.test']) {
    const filters: Record<string, string>[] = [
      { recipient: text },
      { find: text },
      { find: text, until: '2100-01-01T00:00:00Z' },
    ]
    for (const filter of filters) {
      assert.deepEqual(await list(team, filter), [['punycode', 'unicode'], 2], JSON.stringify(filter))
    }
    assert.deepEqual(await list(team, { find: text, tag: 'kind:x' }), [['punycode', 'unicode'], 2], text)
    assert.deepEqual(await list(team, { find: text, status: 'delivered' }), [['punycode', 'unicode'], 2], text)
  }
})

test('emails are found by a part of the sender’s name or address, in which % and _ are ordinary characters', async () => {
  const team = await posthorn.team()
  await send(team, '1', { from: `"Lovelace, Ada" <Ada@${team.domain.toUpperCase()}>` })
  await send(team, '2', { from: `100% Jörg <a_b@${team.domain}>` })
  await send(team, '3', { from: `axb@${team.domain}` })
  const found: [text: string, subjects: string[]][] = [
    ['lovelace, ADA', ['1']],
    [`ada@${team.domain}`, ['1']],
    ['100%', ['2']],
    ['%', ['2']],
    ['a_b', ['2']],
    ['JÖRG', ['2']],
    ['XB@', ['3']],
  ]
  for (const [text, subjects] of found) {
    const filters: Record<string, string>[] = [
      { search: text },
      { find: text },
      { search: text, until: '2100-01-01T00:00:00Z' },
    ]
    for (const filter of filters) {
      assert.deepEqual(await list(team, filter), [subjects, 1], JSON.stringify(filter))
    }
  }
})

test('emails are found from one time until another', async () => {
  const team = await posthorn.team()
  const times: Date[] = []
  for (const subject of ['1', '2', '3', '4']) times.push(await send(team, subject))
  const [from, until] = [times[1]!.toISOString(), times[3]!.toISOString()]
  assert.deepEqual(await list(team, { from }), [['4', '3', '2'], 3])
  assert.deepEqual(await list(team, { until: from }), [['1'], 1])
  assert.deepEqual(await list(team, { from, until }), [['3', '2'], 2])
  assert.deepEqual(await list(team, { from, until, status: 'bounced' }), [[], 0])
  assert.equal((await team.api.get(`/v1/emails?from=${until}&until=${from}`)).status, 400)
})

test('a time before 1970 is a time before all emails', async () => {
  const team = await posthorn.team()
  await send(team, '1')
  for (const time of ['1969-12-31T23:59:59Z', '0001-01-01T00:00:00Z']) {
    assert.deepEqual(await list(team, { from: time }), [['1'], 1], time)
    assert.deepEqual(await list(team, { until: time }), [[], 0], time)
  }
})

test('emails of a broadcast are found, and an unknown broadcast is refused', async () => {
  const team = await posthorn.team()
  const { body: segment } = await team.api.post('/v1/segments', { name: 'All' })
  const contactIds = []
  for (const name of ['ada', 'bob', 'cy']) {
    contactIds.push((await team.api.post('/v1/contacts', { email: `${name}@people.test` })).body.id)
  }
  await team.api.post(`/v1/segments/${segment.id}/contacts`, { contactIds })
  const draft = { name: 'News', from: `a@${team.domain}`, segmentId: segment.id, subject: 'News {{email}}', text: 'Hi' }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', draft)
  await send(team, 'other')
  assert.deepEqual(await list(team, { broadcastId: broadcast.id }), [[], 0])
  assert.equal((await team.api.post(`/v1/broadcasts/${broadcast.id}/send`)).status, 200)
  await posthorn.runDueJobs()
  const [subjects, total] = await list(team, { broadcastId: broadcast.id })
  assert.deepEqual(
    [subjects.toSorted(), total],
    [['News ada@people.test', 'News bob@people.test', 'News cy@people.test'], 3],
  )
  const other = await posthorn.team()
  assert.equal((await other.api.get(`/v1/emails?broadcastId=${broadcast.id}`)).status, 400)
})

test('one text finds emails by a part of subject or sender, and by a whole address of a recipient', async () => {
  const team = await posthorn.team()
  await send(team, 'to', { to: ['Bob <BOB@people.test>'] })
  await send(team, 'copy of bob@people.test', { cc: ['bob@people.test'] })
  await send(team, 'bcc', { bcc: ['bob@people.test'] })
  await send(team, 'about bob@people.test')
  await send(team, 'from', { from: `bob@${team.domain}` })
  await send(team, 'other', { to: ['bob@people.test.example', 'xbob@people.test'] })
  const all = ['about bob@people.test', 'bcc', 'copy of bob@people.test', 'to']
  for (const find of ['bob@people.test', ' Bob@People.test ', 'Bob <bob@people.test>']) {
    assert.deepEqual(await list(team, { find }), [all, 4], find)
  }
  assert.deepEqual(await list(team, { find: `bob@${team.domain}` }), [['from'], 1])
  assert.deepEqual(await list(team, { find: 'BCC' }), [['bcc'], 1])
  assert.deepEqual(await list(team, { search: 'bob@people.test' }), [[all[0], all[2]], 2])
  const find = 'bob@people.test'
  assert.deepEqual(await list(team, { find, status: 'bounced' }), [[], 0])
  assert.deepEqual(await list(team, { find, domainId: team.domainId }), [all, 4])
  assert.deepEqual(await list(team, { find, recipient: 'ada@people.test' }), [[all[0], 'bcc', all[2]], 3])
  assert.equal((await team.api.get('/v1/emails?find=a&search=a')).status, 400)
})

test('a text is found with its exact number after its emails are counted and folded', async () => {
  const team = await posthorn.team()
  const find = 'bob@people.test'
  for (let at = 0; at < 4; at++) await send(team, `${at}`, { to: [find] })
  await posthorn.runDueJobsAfter(3 * 3_600_000)
  assert.deepEqual(await list(team, { find }), [['3', '2', '1', '0'], 4])
  await send(team, 'newer', { cc: [find] })
  assert.deepEqual(await list(team, { find }), [['newer', '3', '2', '1', '0'], 5])
})
