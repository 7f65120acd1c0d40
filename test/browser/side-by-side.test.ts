import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('saving the settings of a domain leaves alone what another person has changed since the page was opened', async () => {
  const { id } = (await posthorn.api('POST', '/v1/domains', { name: 'shop.example.com' })).body
  const path = `/v1/domains/${id}`
  const page = await posthorn.open(`/app/domains/${id}`)
  const opens = page.getByLabel('Open tracking')
  await page.getByLabel('TLS').selectOption('enforced')
  assert.equal(await opens.isChecked(), false)
  await posthorn.api('PATCH', path, { openTracking: true })
  await eventually(async () => assert.equal(await opens.isChecked(), true, 'an untouched field follows'))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('are saved').waitFor()
  const { openTracking, tls } = (await posthorn.api('GET', path)).body
  assert.deepEqual({ openTracking, tls }, { openTracking: true, tls: 'enforced' })
})

test('saving the team leaves the name that another person has given it meanwhile', async () => {
  const page = await posthorn.open('/app/settings')
  const name = page.getByLabel('Team name')
  await name.waitFor()
  const headers = { origin: posthorn.url }
  const renamed = await page.request.patch(`${posthorn.url}/v1/team`, { headers, data: { name: 'Renamed' } })
  assert.ok(renamed.ok(), await renamed.text())
  await eventually(async () => assert.equal(await name.inputValue(), 'Renamed'))
  await page.getByRole('button', { name: 'Save team' }).click()
  await page.getByRole('status').getByText('The team is saved').waitFor()
  assert.equal((await (await page.request.get(`${posthorn.url}/v1/team`)).json()).name, 'Renamed')
})

test('renaming a key in a dialog that was open before leaves its lowered permission', async () => {
  const { id } = (await posthorn.api('POST', '/v1/api-keys', { name: 'Shop', permission: 'full_access' })).body
  const page = await posthorn.open('/app/api-keys')
  await page.getByRole('button', { name: 'Edit Shop' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Shop' })
  await form.getByLabel('Name').fill('Store')
  await posthorn.api('PATCH', `/v1/api-keys/${id}`, { permission: 'sending_access' })
  await eventually(async () => assert.equal(await form.getByLabel('Sending access').isChecked(), true))
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').getByText('Store is saved').waitFor()
  const { data } = (await posthorn.api('GET', '/v1/api-keys')).body
  const key = data.find((one: { id: string }) => one.id === id)
  assert.deepEqual([key.name, key.permission], ['Store', 'sending_access'])
})

const phone = { phoneNumber: '+447700900100', phoneNumberId: '110022003300' }
const dialogs = [
  {
    ...{ noun: 'webhooks', made: { endpointUrl: 'https://example.com/hook', events: ['email.sent'] } },
    ...{ field: 'Endpoint URL', typed: 'https://example.org/hook', mine: { endpointUrl: 'https://example.org/hook' } },
    theirs: { events: ['email.bounced'], includeTest: true },
  },
  {
    ...{ noun: 'sms/senders', made: { name: 'Shop', senderId: 'Posthorn' } },
    ...{ field: 'Name', typed: 'Store', mine: { name: 'Store' }, theirs: { defaultMessageType: 'promotional' } },
  },
  {
    ...{ noun: 'whatsapp/senders', made: { name: 'Support', ...phone } },
    ...{ field: 'Display name', typed: 'Help', mine: { displayName: 'Help' }, theirs: { phoneNumberId: '999000111' } },
  },
  {
    ...{ noun: 'workflows', made: { name: 'Welcome' } },
    ...{ field: 'Name', typed: 'Greeting', mine: { name: 'Greeting' }, theirs: { description: 'For new contacts' } },
  },
]

for (const { noun, made, field, typed, mine, theirs } of dialogs)
  test(`saving one field in the dialog of ${noun} leaves the fields that another person has changed meanwhile`, async () => {
    const { id } = (await posthorn.api('POST', `/v1/${noun}`, made)).body
    const form = await openEditing(await posthorn.open(`/app/${noun}/${id}`))
    await form.getByLabel(field).fill(typed)
    await posthorn.api('PATCH', `/v1/${noun}/${id}`, theirs)
    await form.getByRole('button', { name: /^Save/ }).click()
    await form.waitFor({ state: 'detached' })
    const stored = (await posthorn.api('GET', `/v1/${noun}/${id}`)).body
    assert.deepEqual({ ...stored, ...mine, ...theirs }, stored)
  })

test('the ticks of a webhook follow another person, beside the one that was ticked here', async () => {
  const webhook = { endpointUrl: 'https://example.com/hook', events: ['email.sent'] }
  const { id } = (await posthorn.api('POST', '/v1/webhooks', webhook)).body
  const page = await posthorn.open(`/app/webhooks/${id}`)
  const form = await openEditing(page)
  await form.getByLabel('email.opened').check()
  await posthorn.api('PATCH', `/v1/webhooks/${id}`, { events: ['email.bounced'] })
  await eventually(async () => assert.equal(await form.getByLabel('email.bounced').isChecked(), true))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const { events } = (await posthorn.api('GET', `/v1/webhooks/${id}`)).body
  assert.deepEqual(events.toSorted(), ['email.bounced', 'email.opened'])
})

test('saving properties of a contact leaves those that a program has changed meanwhile, and the form follows', async () => {
  const properties = { city: 'Oslo', plan: 'free', old: true }
  const { id } = (await posthorn.api('POST', '/v1/contacts', { email: 'lin@example.com', properties })).body
  const page = await posthorn.open(`/app/contacts/${id}`)
  const form = await openEditing(page)
  await form.getByLabel('Properties').fill('{"city": "Bergen", "plan": "free"}')
  const theirs = { firstName: 'Linnea', properties: { city: 'Oslo', plan: 'pro', old: true, seats: 3 } }
  await posthorn.api('PATCH', `/v1/contacts/${id}`, theirs)
  await eventually(async () => assert.equal(await form.getByLabel('First name').inputValue(), 'Linnea'))
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.waitFor({ state: 'detached' })
  const saved = (await posthorn.api('GET', `/v1/contacts/${id}`)).body
  assert.deepEqual([saved.firstName, saved.properties], ['Linnea', { city: 'Bergen', plan: 'pro', seats: 3 }])
})

test('properties that were typed and kept leave those that a program has changed since', async () => {
  const made = { email: 'kept@example.com', properties: { city: 'Bergen' } }
  const { id } = (await posthorn.api('POST', '/v1/contacts', made)).body
  const page = await posthorn.open(`/app/contacts/${id}`)
  const form = await openEditing(page)
  await form.getByLabel('Properties').fill('{"city": "Bergen", "vip": true}')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await posthorn.api('PATCH', `/v1/contacts/${id}`, { properties: { city: 'Oslo', plan: 'pro' } })
  await page.reload()
  await openEditing(page)
  await form.getByText('Draft kept').waitFor()
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.waitFor({ state: 'detached' })
  const saved = (await posthorn.api('GET', `/v1/contacts/${id}`)).body
  assert.deepEqual(saved.properties, { city: 'Oslo', plan: 'pro', vip: true })
})

async function openEditing(page: Page) {
  const edit = page.getByRole('button', { name: /^Edit( webhook| contact)?$/ })
  const more = page.getByRole('button', { name: 'More actions' })
  await edit.or(more).waitFor()
  if (await more.isVisible()) {
    await more.click()
    await page.getByRole('menuitem', { name: 'Edit details' }).click()
  } else await edit.click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.waitFor()
  return form
}
