import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok, type TestMember } from '../../../test/app.ts'
import { createSystemMailApp } from '../../system-mail/fixtures/system-team.ts'

const posthorn = await createSystemMailApp()

test('a stored total of a narrowed list is only for those who see the same system mail', async () => {
  const { systemTeam, operator } = posthorn
  const emails = Array.from({ length: 100 }, () => ({
    ...{ from: `a@${systemTeam.domain}`, to: ['ada@people.test'] },
    ...{ subject: 'Hi', text: 'x' },
  }))
  const [from, earlier] = [0, 1000].map((ms) => new Date(posthorn.clock.now().getTime() - ms).toISOString())
  for (let sent = 0; sent < 400; sent += 100) {
    posthorn.clock.advance(60_000)
    await ok(systemTeam.api.post('/v1/emails/batch', { emails }))
  }
  await ok(posthorn.anyone.post('/auth/password/forgot', { email: operator.email }))
  await posthorn.runDueJobs()
  await posthorn.runDueJobsAfter(3 * 3_600_000)
  const [owner, developer] = [await systemTeam.member('owner'), await systemTeam.member('developer')]
  const totals = async (query: string, readers: TestMember[]) => {
    const found: number[] = []
    for (const { api } of readers) found.push((await ok(api.get(`/v1/emails?${query}`))).total)
    return found
  }
  const [all, visible] = await totals('', [owner, developer])
  assert.deepEqual([visible, all! > 400], [400, true])
  assert.deepEqual(await totals(`from=${from}`, [owner, developer, owner]), [all, 400, all])
  assert.deepEqual(await totals(`from=${earlier}`, [developer, owner, developer]), [400, all, 400])
})
