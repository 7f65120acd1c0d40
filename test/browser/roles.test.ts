import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { join, type Role } from './join.ts'
import { openDashboard } from './open.ts'

type Entry = { path: string; isOpen?: true }

const posthorn = await openDashboard()
// The modules of the pages are not loaded by it.
const table = new URL('../../dashboard/src/pages.ts', import.meta.url).href
const { pages } = (await import(table)) as { pages: Entry[] }

async function create(path: string, body: unknown): Promise<string> {
  const answer = await posthorn.api('POST', path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.id
}

/** Creates one thing of each noun. Returns the paths of the pages that show them. */
async function createThings(): Promise<string[]> {
  const domain = (await posthorn.api('GET', '/v1/domains')).body.data[0].id
  const contact = await create('/v1/contacts', { email: 'ada@example.com', firstName: 'Ada' })
  const segment = await create('/v1/segments', { name: 'Readers' })
  await create(`/v1/segments/${segment}/contacts`, { contactIds: [contact] })
  const topic = await create('/v1/topics', { name: 'News' })
  const content = { subject: 'News', text: 'Hello' }
  const template = await create('/v1/templates', { name: 'Welcome', text: 'Hello' })
  const from = 'hello@sandbox.test'
  const broadcast = await create('/v1/broadcasts', { name: 'June', from, segmentId: segment, ...content })
  const email = await create('/v1/emails', { from, to: ['ada@example.com'], ...content })
  const webhook = await create('/v1/webhooks', { endpointUrl: 'https://example.com/hook', events: ['email.sent'] })
  const workflow = await create('/v1/workflows', { name: 'Hello' })
  const graph = { nodes: [{ id: 'start', type: 'manual' }], connections: [] }
  await posthorn.api('PATCH', `/v1/workflows/${workflow}`, graph)
  await posthorn.api('POST', `/v1/workflows/${workflow}/activate`)
  const execution = await create(`/v1/workflows/${workflow}/executions`, {})
  const sms = await create('/v1/sms/senders', { name: 'Shop', senderId: 'Shop', country: 'AU' })
  await create('/v1/suppressions', { email: 'eve@example.com' })
  await create('/v1/sms/opt-outs', { phoneNumber: '+447700900123' })
  return [
    `/domains/${domain}`,
    `/contacts/${contact}`,
    `/segments/${segment}`,
    `/topics/${topic}`,
    `/templates/${template}`,
    `/broadcasts/${broadcast}`,
    `/emails/${email}`,
    `/webhooks/${webhook}`,
    `/workflows/${workflow}`,
    `/workflows/${workflow}/executions`,
    `/workflows/${workflow}/executions/${execution}`,
    `/sms/senders/${sms}`,
  ]
}

/** Creates an email that can still be cancelled. */
function schedule(): Promise<string> {
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  const email = { from: 'hello@sandbox.test', to: ['ada@example.com'], subject: 'Later', text: 'Hello', scheduledAt }
  return create('/v1/emails', email)
}

/** The stream of hints stays open, so the network is never idle. */
async function expectLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(async () => assert.equal(await page.locator('.loading').count(), 0))
}

/** Names of buttons and links that change the team's things. */
const changes =
  /^(Activate|Add|Cancel|Compose|Create|Deactivate|Delete|Duplicate|Edit|Empty|Import|Invite|Opt|Publish|Remove|Rename|Replay|Rerun|Reschedule|Revoke|Rotate|Run|Save|Send|Submit|Test|Unsubscribe|Verify)\b/
/** A person's own account is theirs to change in every role. */
const own = ['/settings/account', '/settings/security']
/** Pages that a role only reads about, with the sentence that says who may. */
const closed: Record<Role, Record<string, string>> = {
  viewer: {
    '/billing': 'Owners and admins see billing.',
    '/settings/audit': 'Owners and admins read the audit log.',
    '/settings/privacy': 'Owners and admins export and erase persons.',
    '/settings/requests': 'Owners, admins and developers read the request log.',
    '/emails/new': 'Owners, admins and developers may send emails.',
  },
  marketer: {
    '/billing': 'Owners and admins see billing.',
    '/settings/audit': 'Owners and admins read the audit log.',
    '/settings/requests': 'Owners, admins and developers read the request log.',
    '/emails/new': 'Owners, admins and developers may send emails.',
  },
  developer: {
    '/billing': 'Owners and admins see billing.',
    '/settings/audit': 'Owners and admins read the audit log.',
    '/settings/privacy': 'Owners and admins export and erase persons.',
    '/contacts/import': 'Owners, admins and marketers import contacts.',
  },
  admin: {},
  owner: {},
}
/** What a marketer may change; elsewhere a marketer reads. */
const marketersOwn =
  /^\/(broadcasts|contacts|segments|topics|templates|suppressions|sms\/opt-outs|whatsapp\/templates|workflows(?!\/credentials))/

/** The nouns that a developer reads and does not change: the audience, content for it, and the team. */
const notDevelopers =
  /^\/(broadcasts|contacts|segments|topics|templates|suppressions|sms\/opt-outs|whatsapp\/templates|billing|settings)(\/|$)/

const paths = pages.filter(({ path, isOpen }) => !isOpen && !path.includes(':')).map(({ path }) => path)
const scheduled = `/emails/${await schedule()}`
const all = [...paths, ...(await createThings()), scheduled]

/** Opens every page in a role. Returns the pages that offer a change. */
async function walk(role: Role): Promise<string[]> {
  const page = await join(posthorn, role)
  const offering: string[] = []
  for (const path of all) {
    await page.goto(`${posthorn.url}/app${path}`)
    // An answer that is refused reaches the console, which fails the test.
    await expectLoaded(page)
    const main = page.getByRole('main')
    assert.deepEqual(await main.getByRole('alert').allInnerTexts(), [], `${role} ${path}`)
    const words = closed[role][path]
    if (words) await main.getByText(words).waitFor()
    const names = main.getByRole('button', { name: changes }).or(main.getByRole('link', { name: changes }))
    if (!own.includes(path) && (await names.count()) > 0) offering.push(path)
  }
  return offering
}

test('a viewer and a marketer are refused nothing on any page, and are offered what they may change', async () => {
  const [viewer, marketer] = await Promise.all([walk('viewer'), walk('marketer')])
  assert.deepEqual(viewer, [])
  const elsewhere = marketer.filter((path) => !marketersOwn.test(path))
  assert.deepEqual(elsewhere, [])
  for (const path of ['/contacts', '/sms/opt-outs', '/templates', '/whatsapp/templates', '/workflows']) {
    assert.ok(marketer.includes(path), path)
  }
})

test('a developer, an admin and an owner are refused nothing on any page, and are offered what they may change', async () => {
  const [developer, admin, owner] = await Promise.all([walk('developer'), walk('admin'), walk('owner')])
  assert.deepEqual(
    developer.filter((path) => notDevelopers.test(path)),
    [],
  )
  for (const path of ['/api-keys', '/domains', '/emails', scheduled, '/sms/senders', '/webhooks', '/workflows']) {
    assert.ok(developer.includes(path), path)
  }
  for (const path of [...developer, '/contacts', '/settings/members', '/templates']) {
    assert.ok(admin.includes(path), path)
  }
  assert.deepEqual(
    admin.filter((path) => !owner.includes(path)),
    [],
  )
})
