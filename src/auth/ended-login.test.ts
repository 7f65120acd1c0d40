import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Answer, ok } from '../../test/app.ts'
import { tokenOfLink } from '../../test/link-token.ts'
import { signUp } from '../../test/person.ts'
import { untilWaiting, whileLocked } from '../../test/while-locked.ts'
import { createSystemMailApp } from '../system-mail/fixtures/system-team.ts'
import { issueResetToken } from './account-tokens/issue.ts'

const posthorn = await createSystemMailApp()
const { app, anyone } = posthorn

/** Sends a request that was let in before a reset of the account, and is handled after it. */
async function sendAcrossReset(userId: string, send: () => Promise<Answer>): Promise<Answer> {
  const token = await app.transaction((tx) => issueResetToken(tx, userId, 'mail'))
  const account = sql`select from users where id = ${userId} for update`
  const [reset, sent] = await whileLocked(app, account, async () => {
    const resetting = anyone.post('/auth/password/reset', { token, password: 'another winding road' })
    await untilWaiting(app)
    const sending = send()
    await untilWaiting(app, 2)
    return [resetting, sending] as const
  })
  assert.equal((await reset).status, 200)
  return sent
}

test('a session that a new password ended meanwhile mails no link to another address', async () => {
  const { user, api } = await signUp(posthorn)
  const { status, text } = await sendAcrossReset(user.id, () =>
    api.post('/auth/me/email', { email: 'new@people.test' }),
  )
  assert.equal(status, 401, text)
})

test('a session that a new password ended meanwhile accepts no invitation', async () => {
  const { user, email, api } = await signUp(posthorn)
  const owner = await (await posthorn.team()).member('owner')
  const { url } = await ok(owner.api.post('/v1/team/invitations', { email, role: 'developer' }))
  const token = tokenOfLink(url)
  const { status, text } = await sendAcrossReset(user.id, () => api.post('/auth/invitations', { token }))
  assert.equal(status, 401, text)
})
