import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { keyUses } from '../../src/api-keys/note-use.ts'
import { routes } from '../../src/app.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { testTeamOf } from '../../src/platform/mode/mode.ts'
import { exampleOf } from '../../src/reference/example.ts'
import { createWebhookApp } from '../../src/webhooks/fixtures/app.ts'
import { fillLiveTeam, person } from './live-team.ts'

const posthorn = await createWebhookApp()
const team = await posthorn.team()
const live = await fillLiveTeam(posthorn, team)
const { body: key } = await team.api.post('/v1/api-keys', { name: 'Leaked', permission: 'full_access', mode: 'test' })

// Written a few seconds after the requests.
await keyUses.flush(posthorn.app)

/** What only rows of the live team hold: its people, and its secrets. */
const secrets = /liveperson|Livia|491570158|a-live-secret|a-live-header/

/** Rows that a test key adds or changes outside the test team, and why. */
const own: Record<string, { why: string; isOwn: (row: Record<string, unknown>) => boolean }> = {
  api_keys: {
    why: 'A test key makes, changes and deletes test keys, and its own last use is noted.',
    isOwn: ({ mode }) => mode === 'test',
  },
  audit_entries: {
    why: 'What a test key does with keys and opt-outs is in the audit log of the team, which only grows.',
    isOwn: ({ actor_type: type, actor_id: id }) => type === 'api_key' && id === key.id,
  },
}

/** Reads all rows of all tables but those of the test team, as texts. */
async function readRows(): Promise<Map<string, string[]>> {
  const { rows: tables } = await sql<{ name: string; hasTeam: boolean }>`
    select table_name as name, exists (
      select from information_schema.columns as it
      where it.table_schema = 'public' and it.table_name = tables.table_name and column_name = 'team_id'
    ) as "hasTeam"
    from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1
  `.execute(posthorn.app.db)
  const read = await Promise.all(
    tables.map(async ({ name, hasTeam }) => {
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(it) as row from ${sql.table(name)} as it
        ${hasTeam ? sql`where team_id is distinct from ${testTeamOf(team.id)}` : sql``}
      `.execute(posthorn.app.db)
      const others = rows.filter(({ row }) => !own[name]?.isOwn(row))
      return [name, others.map(({ row }) => JSON.stringify(row)).sort()] as const
    }),
  )
  return new Map(read)
}

/** The values of path parameters that are no ids of a list. */
const others: Record<string, string> = { channel: 'sms', phoneNumber: encodeURIComponent(person.phoneNumber), n: '0' }

/** Returns the path with ids of the live team. */
function pathOf({ access, path }: Route): string {
  return path.replace(/:(\w+)/g, (_, name, at: number) => {
    // These refuse every API key, whatever the id.
    if (access === 'user') return team.id
    const id = others[name] ?? live.ids[path.slice(0, at - 1)]
    return id ?? assert.fail(`Make one of ${path.slice(0, at - 1)} in live-team.ts, so that its wall is tested.`)
  })
}

const senders: Record<string, string> = {
  '/v1/sms': '/v1/sms/senders',
  '/v1/sms/batch': '/v1/sms/senders',
  '/v1/whatsapp/messages': '/v1/whatsapp/senders',
}
const lists: Record<string, string> = {
  segmentId: '/v1/segments',
  topicId: '/v1/topics',
  contactId: '/v1/contacts',
  contactIds: '/v1/contacts',
  domainId: '/v1/domains',
}

/** Bodies that reach further into the live team than the examples of the routes. */
const bodies: Record<string, object[]> = {
  'POST /v1/api-keys': [{ name: 'Live', permission: 'full_access', mode: 'live' }],
  'PATCH /v1/api-keys/:id': [{ permission: 'sending_access' }, { name: 'Mine' }],
  'POST /v1/emails': [
    { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'x', templateId: live.ids['/v1/templates'] },
  ],
  'PATCH /v1/domains/:id': [{ openTracking: true }, { customReturnPath: 'bounce' }],
  'PATCH /v1/templates/:id': [{ text: 'Pay to B' }, { status: 'draft' }],
  'PATCH /v1/webhooks/:id': [
    { endpointUrl: 'https://127.0.0.1:1/mine' },
    { status: 'inactive' },
    { includeTest: true, events: ['email.delivered'] },
  ],
  'POST /v1/webhooks/:id/replay': [{ since: '2020-01-01T00:00:00Z' }],
  'POST /v1/suppressions': [{ email: 'gone@people.test' }],
  'POST /v1/sms/opt-outs': [{ phoneNumber: '+61491570110' }],
  'POST /providers/capture/sms': [{ from: '+61491570110', to: 'Shop', body: 'START' }],
  'POST /providers/capture/whatsapp': [
    {
      events: [
        {
          type: 'message',
          phoneNumberId: live.phoneNumberId,
          from: '+61491570110',
          text: 'x',
          providerMessageId: 'w.1',
        },
        { type: 'template_status', wabaId: live.wabaId, templateName: 'welcome', language: 'en', status: 'disabled' },
      ],
    },
  ],
  'POST /v1/workflows/:id/executions': [{ triggerData: { contact: { id: live.ids['/v1/contacts'] } } }],
  'POST /v1/broadcasts': [
    {
      name: 'x',
      from: `a@${team.domain}`,
      subject: '{{email}}',
      text: '{{firstName}}',
      segmentId: live.ids['/v1/segments'],
    },
  ],
  'POST /v1/previews': [{ kind: 'broadcast', subject: '{{email}} {{firstName}}', contactId: live.ids['/v1/contacts'] }],
  'PATCH /v1/workflows/:id': [{ name: 'Mine' }, { nodes: [], connections: [] }],
}

/** Returns the body of a route's example with ids of the live team, and what `bodies` adds. */
function bodiesOf({ method, path, body, receives }: Route): unknown[] {
  const schema = receives?.schema ?? body
  if (!schema) return [undefined]
  const example = JSON.stringify(exampleOf(schema as never) ?? {}, (field, value) => {
    const list = field === 'senderId' ? senders[path] : field === 'templateId' ? '/v1/whatsapp/templates' : lists[field]
    return list ? (Array.isArray(value) ? [live.ids[list]] : live.ids[list]) : value
  })
  return [JSON.parse(example.replaceAll('sandbox.test', team.domain)), ...(bodies[`${method} ${path}`] ?? [])]
}

/** Returns a query that asks for what belongs to things of the live team. */
function queryOf({ query }: Route): string {
  const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {})
  const asked = names.flatMap((name) => (lists[name] ? [`${name}=${live.ids[lists[name]]}`] : []))
  if (names.includes('id')) asked.push(`id=${live.ids['/v1/contacts']}`)
  return asked.length > 0 ? `?${asked.join('&')}` : ''
}

async function call(route: Route, body: unknown): Promise<string> {
  const { statusCode, body: text } = await posthorn.server.inject({
    method: route.method,
    url: `${pathOf(route)}${queryOf(route)}`,
    headers: { authorization: `Bearer ${key.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  assert.ok(statusCode < 500, `${route.method} ${route.path}: ${statusCode} ${text}`)
  assert.doesNotMatch(text, secrets, `${route.method} ${route.path}`)
  return `${route.method} ${route.path}: ${statusCode}`
}

/** Public routes look at no key, and a stream ends with its connection only. */
const walked = routes.filter(({ access, produces }) => access !== 'public' && produces !== 'text/event-stream')

test('no request of a test key changes a row of the live team or tells of its people', async () => {
  const [before, told] = [await readRows(), live.received.length]
  const answers: string[] = []
  for (const route of walked) {
    for (const body of bodiesOf(route)) answers.push(await call(route, body))
  }
  await posthorn.runDueJobs()
  // What those requests made can be read now.
  for (const route of walked.filter(({ method }) => method === 'GET')) await call(route, undefined)
  for (const [table, rows] of await readRows()) {
    const [changed, lost] = [new Set(rows), new Set(before.get(table))]
    const added = rows.filter((row) => !lost.has(row))
    const gone = [...lost].filter((row) => !changed.has(row))
    assert.deepEqual([gone, added], [[], []], `${table} differs after these requests:\n${answers.join('\n')}`)
  }
  assert.equal(live.received.length, told)
  assert.ok(answers.length > 150, String(answers.length))
})
