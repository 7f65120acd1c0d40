import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { person, sendTracked, trackingTeam } from './fixtures/tracked-mail.ts'

const posthorn = await createTestApp()
const html = '<a href="https://shop.example/">Shop</a>'
const dayMs = 24 * 3_600_000

async function statusOf(path: string): Promise<number> {
  return (await posthorn.anyone.get(path, person)).status
}

/** Returns a link in the format of earlier releases: signed, and readable. */
function signedLink(teamId: string, emailId: string): string {
  const ids = [teamId, emailId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))
  const content = Buffer.concat([Buffer.from([1, 1]), ...ids, Buffer.from('https://shop.example/')])
  const signature = posthorn.app.keyring.sign('tracking', content.toString('base64url'), 16)
  return `/t/c/${Buffer.concat([content, signature]).toString('base64url')}`
}

test('links and the image reveal neither the ids of team, domain and email nor the target', async () => {
  const team = await trackingTeam(posthorn)
  const { id, links, pixel } = await sendTracked(posthorn, team, html)
  for (const path of [links[0]!, pixel]) {
    const bytes = Buffer.from(path.slice('/t/c/'.length), 'base64url')
    for (const secret of [team.id, team.domainId, id]) {
      assert.equal(bytes.indexOf(Buffer.from(secret.replaceAll('-', ''), 'hex')), -1)
    }
    assert.equal(bytes.indexOf('shop.example'), -1)
  }
})

test('a link is not valid once its domain or its team is deleted', async () => {
  for (const remove of ['domains', 'teams'] as const) {
    const team = await trackingTeam(posthorn)
    const { id, links, pixel } = await sendTracked(posthorn, team, html)
    const all = [links[0]!, signedLink(team.id, id), pixel]
    assert.deepEqual(await Promise.all(all.map(statusOf)), [302, 302, 200])
    if (remove === 'domains') await team.api.delete(`/v1/domains/${team.domainId}`)
    else await posthorn.app.transaction((tx) => tx.db.deleteFrom('teams').where('id', '=', team.id).execute())
    for (const path of all) {
      const answer = await posthorn.anyone.get(path, person)
      assert.deepEqual([answer.status, answer.headers.location], [404, undefined])
    }
  }
})

test('a link is valid for a year from its email, even if an earlier release wrote it', async () => {
  const team = await trackingTeam(posthorn)
  const { id, links, pixel } = await sendTracked(posthorn, team, html)
  const all = [links[0]!, signedLink(team.id, id), pixel]
  posthorn.clock.advance(364 * dayMs)
  assert.deepEqual(await Promise.all(all.map(statusOf)), [302, 302, 200])
  posthorn.clock.advance(2 * dayMs)
  assert.deepEqual(await Promise.all(all.map(statusOf)), [404, 404, 404])
})

test('a link that an earlier release wrote is followed even if its email was deleted', async () => {
  const team = await trackingTeam(posthorn)
  const { id } = await sendTracked(posthorn, team, html)
  await posthorn.app.transaction((tx) =>
    tx.db.deleteFrom('emails').where('team_id', '=', team.id).where('id', '=', id).execute(),
  )
  assert.equal(await statusOf(signedLink(team.id, id)), 302)
})
