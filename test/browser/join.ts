import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { tokenOfLink } from '../link-token.ts'
import type { Dashboard } from './open.ts'

export type Role = 'viewer' | 'marketer' | 'developer' | 'admin' | 'owner'

/** Invites a person, joins and signs in, in a browser of its own. */
export async function join(posthorn: Dashboard, role: Role): Promise<Page> {
  const email = `${role}@example.com`
  const password = 'correct horse battery staple'
  const owner = await posthorn.open('/app/settings/members')
  const headers = { origin: posthorn.url }
  const invited = await owner.request.post(`${posthorn.url}/v1/team/invitations`, { headers, data: { email, role } })
  assert.ok(invited.ok(), await invited.text())
  const token = tokenOfLink((await invited.json()).url)
  const page = await posthorn.openSignedOut('/app/sign-in')
  const accept = { data: { token, name: role, password } }
  assert.ok((await page.request.post(`${posthorn.url}/auth/invitations`, accept)).ok())
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return page
}
