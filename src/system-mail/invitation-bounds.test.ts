import assert from 'node:assert/strict'
import { ok } from '../../test/app.ts'
import { slowTest } from '../../test/slow.ts'
import { createSystemMailApp } from './fixtures/system-team.ts'

const posthorn = await createSystemMailApp()

async function inviter() {
  const owner = await (await posthorn.team()).member('owner')
  return async (name: string) => {
    await ok(owner.api.post('/v1/team/invitations', { email: `${name}@people.test`, role: 'viewer' }))
    // The team of system mail sends few emails a second.
    await posthorn.runDueJobsAfter(1000)
  }
}

/** The mails to the addresses that begin with the name. */
const mailsTo = async (name: string) => (await posthorn.mailTo(name)).length

slowTest(
  'an invitation that is not mailed is neither one of the 50 of its team nor one of the 3 to its address',
  async () => {
    const [invite, inviteToOther] = [await inviter(), await inviter()]
    for (let time = 0; time < 4; time++) await invite('ada')
    assert.equal(await mailsTo('ada'), 3)
    for (let n = 4; n <= 50; n++) await invite(`guest${n}`)
    assert.equal(await mailsTo('guest'), 47)
    for (let time = 0; time < 3; time++) await invite('bob')
    assert.equal(await mailsTo('bob'), 0)
    for (let time = 0; time < 4; time++) await inviteToOther('bob')
    assert.equal(await mailsTo('bob'), 3)
  },
)
