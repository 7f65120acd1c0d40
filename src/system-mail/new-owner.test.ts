import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp()

const newOwnerMails = async (address: string) =>
  (await posthorn.mailTo(address)).filter(({ subject }) => subject === 'A team has a new owner')

test('owners are told of a member who becomes an owner, and the new owner, admins and others are not', async () => {
  const team = await posthorn.team()
  const [ada, grace, admin, viewer] = await Promise.all(
    (['owner', 'owner', 'admin', 'viewer'] as const).map((role) => team.member(role)),
  )
  const path = `/v1/team/members/${viewer!.userId}`
  assert.equal((await ada!.api.patch(path, { role: 'developer' })).status, 200)
  assert.deepEqual(await newOwnerMails(ada!.email), [])
  assert.equal((await ada!.api.patch(path, { role: 'owner' })).status, 200)
  for (const { email } of [ada!, grace!]) {
    const [mail, ...others] = await newOwnerMails(email)
    assert.equal(others.length, 0)
    assert.ok(mail.text.includes(`${viewer!.email}, became an owner of the team “Shop” at posthorn.test.`), mail.text)
    assert.match(mail.text, /Time: \d+ \w+ \d{4}, \d\d:\d\d UTC\./)
  }
  assert.deepEqual(await newOwnerMails(admin!.email), [])
  assert.deepEqual(await newOwnerMails(viewer!.email), [])
})

test('owners are told of a person who joins as an owner, and of nobody who joins with another role', async () => {
  const team = await posthorn.team()
  const ada = await team.member('owner')
  for (const role of ['admin', 'owner']) {
    const invited = await ada.api.post('/v1/team/invitations', { email: `new-${role}@people.test`, role })
    const token = new URL(invited.body.url).hash.slice('#token='.length)
    const accepted = { token, name: 'Mary https://evil.example', password: 'a long and winding road' }
    assert.equal((await posthorn.anyone.post('/auth/invitations', accepted)).status, 200)
  }
  const [mail, ...others] = await newOwnerMails(ada.email)
  assert.equal(others.length, 0)
  assert.match(mail.text, /^Mary https evil example, new-owner@people\.test, became an owner/)
})
