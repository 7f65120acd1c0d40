import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../../test/app.ts'

const posthorn = await createTestApp()
const team = await posthorn.team()
const email = { from: `a@${team.domain}`, to: ['ada@people.test'], subject: 'Hi', text: 'Hi' }

const cases: [path: string, body: object, message: string][] = [
  ['/v1/emails', { ...email, subject: 5 }, 'subject: must be a string; it was a number'],
  [
    '/v1/emails',
    { ...email, templateVariables: { a: [] } },
    'templateVariables.a: must be a string, a number, true or false or null; it was a list',
  ],
  ['/v1/emails', { ...email, to: [] }, 'to: must not be empty'],
  ['/v1/emails', { ...email, subject: 'x'.repeat(999) }, 'subject: must have at most 998 characters'],
  ['/v1/workflows', { name: 'x', description: 7 }, 'description: must be a string or null; it was a number'],
  [
    '/v1/api-keys',
    { name: 'x', permission: 'root' },
    'permission: must be one of full_access, sending_access; it was "root"',
  ],
]

for (const [path, body, message] of cases) {
  test(`a fault of a body is described in a sentence: ${message}`, async () => {
    const answer = await team.api.post(path, body)
    assert.deepEqual([answer.status, answer.body.message], [400, message])
  })
}

test('a fault of a query is described in a sentence that shows the value', async () => {
  const answer = await team.api.get('/v1/emails?limit=1000')
  assert.equal(answer.body.message, 'limit: must be at most 100; it was 1000')
})
