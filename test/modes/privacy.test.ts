import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeWorkflow } from '../../src/workflows/fixtures/make.ts'
import { chainOf } from '../../src/workflows/fixtures/workflow.ts'
import { createTestApp, ok } from '../app.ts'
import { slowTest } from '../slow.ts'

const posthorn = await createTestApp()

async function withPerson(address: string) {
  const team = await posthorn.team()
  const { api: trial } = await team.newKey({ permission: 'full_access', mode: 'test' })
  const workflow = await makeWorkflow(team, chainOf([]))
  await trial.post('/v1/contacts', { email: address, firstName: 'Ada' })
  await trial.post('/v1/emails', { from: `a@${team.domain}`, to: [address], subject: 'Hello', text: 'x' })
  await trial.post(workflow.executionsPath, { triggerData: { email: address } })
  await posthorn.runDueJobs()
  const everything = async () => {
    const answers = await Promise.all(
      ['/v1/contacts', '/v1/emails', '/v1/inbox', workflow.executionsPath].map((path) => trial.get(path)),
    )
    return answers.map(({ body }) => body.data.length)
  }
  const { api: admin } = await team.member('admin')
  async function ask(type: string) {
    const body = await ok(admin.post('/v1/privacy/requests', { type, email: address }))
    for (let round = 0; round < 4; round++) {
      await posthorn.runDueJobs()
      posthorn.clock.advance(30_000)
    }
    return (await admin.get(`/v1/privacy/requests/${body.id}`)).body
  }
  return { trial, team, ask, everything }
}

test('erasing a person erases what test keys stored of the person, and blocks the address in test mode too', async () => {
  const address = 'ada@people.test'
  const { team, trial, ask, everything } = await withPerson(address)
  assert.deepEqual(await everything(), [1, 1, 1, 1])
  const { status, counts } = await ask('erase')
  assert.equal(status, 'done', JSON.stringify(counts))
  assert.deepEqual([counts.contacts.removed, counts.contacts.left], [1, 0])
  assert.equal((await everything())[0], 0)
  assert.equal((await everything())[3], 0)
  for (const path of ['/v1/contacts', '/v1/emails', '/v1/inbox']) {
    assert.ok(!(await trial.get(path)).text.includes(address), path)
  }
  const again = { from: `a@${team.domain}`, to: [address], subject: 'Hello', text: 'x' }
  assert.equal((await trial.post('/v1/emails', again)).status, 422)
})

slowTest('an export holds what test keys stored of the person', async () => {
  const { ask } = await withPerson('ada@people.test')
  const { status, counts } = await ask('export')
  assert.equal(status, 'done')
  assert.deepEqual([counts.contacts.found, counts.executions.found > 0, counts.emails.found], [1, true, 1])
})

test('changes in test mode are not in the audit log, except changes of test keys and the end of a suppression', async () => {
  const team = await posthorn.team()
  const { body: key } = await team.api.post('/v1/api-keys', { name: 'Trial', permission: 'full_access', mode: 'test' })
  const trial = posthorn.as(key.key)
  const { body: blocked } = await trial.post('/v1/suppressions', { email: 'ada@people.test' })
  await trial.delete(`/v1/suppressions/${blocked.id}`)
  await trial.post('/v1/workflows', { name: 'Trial' })
  await trial.post('/v1/webhooks', { endpointUrl: 'https://example.com', events: ['email.sent'] })
  const { body: another } = await trial.post('/v1/api-keys', { name: 'Another', mode: 'test' })
  const { api: owner } = await team.member('owner')
  const { data } = (await owner.get(`/v1/audit?actor=${key.id}`)).body
  assert.deepEqual(
    data.map(({ action, target }: { action: string; target: { id: string } }) => [action, target.id]),
    [
      ['api_key.created', another.id],
      ['suppression.removed', blocked.id],
    ],
  )
  const rows = posthorn.app.db.selectFrom('audit_entries').select('action').where('team_id', '!=', team.id)
  assert.deepEqual(
    (await rows.execute()).filter(({ action }) => action.startsWith('suppression')),
    [],
  )
})
