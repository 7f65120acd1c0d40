import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestApp } from '../../../test/app.ts'
import { activate } from '../fixtures/make.ts'
import { faultsOf, line, node } from './fixtures/draw.ts'

const posthorn = await sharedTestApp()
const team = await posthorn.team()
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function fieldsNamed(type: string, config: object): Promise<string[]> {
  const answer = await activate(team, {
    nodes: [node('t', 'manual'), node('a', type, config)],
    connections: [line('t', 'a')],
  })
  assert.equal(answer.status, 400, answer.text)
  return faultsOf(answer).map((fault) => /^nodes\[1\]\.config\.?([^:]*):/.exec(fault)![1]!)
}

/** Configs with the paths of all their faults. */
const faulty: [string, object, string[]][] = [
  [
    'http_request',
    { url: 'ftp://x', method: 'HEAD', auth_type: 'header' },
    ['method', 'url', 'auth_header_name', 'credential_id'],
  ],
  ['http_request', { url: 'ftp://x' }, ['method', 'url']],
  ['http_request', { url: '/rel', method: 'GET', metod: 1 }, ['metod', 'url']],
  [
    'http_request',
    { url: 5, method: 'GET', headers: { a: 5, b: 'x\ny', 'c d': '' } },
    ['url', 'headers.a', 'headers.c d', 'headers.b'],
  ],
  [
    'http_request',
    { url: 'https://a.example', method: 'GET', auth_type: 'bearer', credential_id: unknownId, metod: 1 },
    ['metod', 'credential_id'],
  ],
  [
    'http_request',
    { url: 'https://a.example', method: 'GET', auth_type: 'header', auth_header_name: 5, credential_id: 5 },
    ['auth_header_name', 'credential_id'],
  ],
  ['send_email', { from: 'nope', to: 'nope', subject: 5 }, ['subject', 'from', 'to']],
  [
    'send_email',
    { from: 'a@b.co', to: ['nope', 5], subject: '', template_id: unknownId },
    ['to[1]', 'to[0]', 'template_id'],
  ],
  [
    'condition',
    { all: [{ operator: 'zz' }, { operator: 'matches', right: '(' }] },
    ['all[0].operator', 'all[0].left', 'all[1].left', 'all[1].right'],
  ],
  [
    'filter',
    { all: ['x', { left: 'a', operator: 'equals' }], any: [{ left: 'a' }] },
    ['all[0]', '', 'all[1].right', 'any[0].operator'],
  ],
  ['delay', { duration: 'long', until: 'late', unti: '' }, ['unti', '', 'duration', 'until']],
  ['delay', { duration: 5 }, ['duration']],
  ['update_contact', { unsubscribed: null, phone_number: '0770' }, ['unsubscribed', 'phone_number']],
  ['update_contact', { unsubscribed: null }, ['unsubscribed']],
  ['add_segment', { segment_id: unknownId, contacts: 'x' }, ['contacts', 'segment_id']],
  ['transform_data', { mode: 'jsonpath', expression: 'items', more: 1 }, ['more', 'expression']],
  ['code', { source: 'return (', language: 'js' }, ['language', 'source']],
  ['slack_notification', { webhook_url: 'ftp://x' }, ['message', 'webhook_url']],
]
for (const [type, config, fields] of faulty) {
  test(`${type} ${JSON.stringify(config).slice(0, 100)} names all of its faults`, async () => {
    assert.deepEqual((await fieldsNamed(type, config)).sort(), fields.sort())
  })
}

test('the message about an unknown branch names the valid ones', async () => {
  const { body } = await team.api.post('/v1/workflows', { name: 'Branch' })
  const drawing = {
    nodes: [node('t', 'manual'), node('a')],
    connections: [{ ...line('t', 'a'), branch: 'maybe' }],
  }
  const answer = await team.api.patch(`/v1/workflows/${body.id}`, drawing)
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body.errors, [
    { path: 'connections[0].branch', message: 'must be one of true, false, null; it was "maybe"' },
  ])
})
