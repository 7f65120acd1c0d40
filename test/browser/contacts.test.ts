import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const hostile = '<img src=x onerror=alert(1)>{{7*7}}'

const addContact = async (email: string, fields: object = {}) =>
  (await posthorn.api('POST', '/v1/contacts', { email, ...fields })).body
const table = (page: Page) => page.getByRole('table', { name: 'Contacts' })

test('a contact that is added by hand is found, filtered by its segment and counted', async () => {
  await posthorn.api('POST', '/v1/contacts/import', {
    contacts: [{ email: 'bob@example.com' }, { email: 'eve@example.com', unsubscribed: true }],
  })
  const page = await posthorn.open('/app/contacts')
  await page.getByRole('button', { name: 'Add contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add contact' })
  await form.getByLabel('Email').fill('not an address')
  posthorn.mayLog(/status of 400/)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Email').fill('ada@example.com')
  await form.getByLabel('First name').fill(hostile)
  await form.getByLabel('Properties').fill('[1]')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('must be a JSON object').waitFor()
  await form.getByLabel('Properties').fill('{"city": "London"}')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await table(page).getByRole('cell', { name: hostile }).waitFor()
  await page.getByText('3 contacts, 1 unsubscribed').waitFor()

  await page.getByLabel('Unsubscribed').selectOption('Unsubscribed')
  await table(page).getByRole('cell', { name: 'bob@example.com' }).waitFor({ state: 'detached' })
  await table(page).getByRole('cell', { name: 'eve@example.com' }).waitFor()
  await page.getByLabel('Unsubscribed').selectOption('Subscribed or not')
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('ada@')
  await table(page).getByRole('cell', { name: 'bob@example.com' }).waitFor({ state: 'detached' })
  await checkAccessibility(page)
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('nobody')
  await page.getByText('No contact matches').waitFor()
})

test('an export has the contacts of the filters', async () => {
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: 'Exported' })
  const contact = await addContact('exported@example.com')
  await posthorn.api('POST', `/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const page = await posthorn.open('/app/contacts')
  await page.getByLabel('Segment').selectOption('Exported')
  await table(page).getByRole('cell', { name: 'bob@example.com' }).waitFor({ state: 'detached' })
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export', exact: true }).click()
  const lines = (await readFile(await (await started).path(), 'utf8')).trim().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[1]!, /exported@example\.com/)
})

test('an export has the contacts that the search finds, of all contacts and of a segment', async () => {
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: 'Searched' })
  const contacts = [{ email: 'found@searched.test' }, { email: 'left@searched.test' }]
  await posthorn.api('POST', '/v1/contacts/import', { contacts, segmentId: segment.id })
  for (const path of ['/app/contacts', `/app/segments/${segment.id}`]) {
    const page = await posthorn.open(path)
    await page.getByRole('searchbox', { name: 'Search contacts' }).fill('found@searched')
    await page.waitForURL(/search=/)
    const started = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export', exact: true }).click()
    const lines = (await readFile(await (await started).path(), 'utf8')).trim().split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[1]!, /found@searched\.test/)
  }
})

test('one contact shows its properties, memberships and emails, and is changed, unsubscribed and deleted', async () => {
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: hostile })
  await posthorn.api('POST', '/v1/topics', { name: 'Product news' })
  const contact = await addContact('grace@example.com', { properties: { city: 'Oslo', tags: ['a'] } })
  await posthorn.api('POST', `/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const mail = { from: 'shop@sandbox.test', to: ['grace@example.com'], subject: 'Your order', text: 'Hi' }
  assert.equal((await posthorn.api('POST', '/v1/emails', mail)).status, 200)
  const page = await posthorn.open('/app/contacts')
  await table(page).getByRole('link', { name: 'grace@example.com' }).click()
  await page.getByRole('heading', { level: 1, name: 'grace@example.com' }).waitFor()
  await page.getByText('Oslo').waitFor()
  await page.getByRole('link', { name: hostile }).waitFor()
  await page.getByRole('table', { name: 'Emails' }).getByRole('link', { name: 'Your order' }).waitFor()
  await checkAccessibility(page)

  await page.getByRole('button', { name: 'Edit contact' }).click()
  const form = page.getByRole('dialog', { name: 'Edit contact' })
  await form.getByLabel('Phone number').fill('12')
  posthorn.mayLog(/status of 400/)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').waitFor()
  await form.getByLabel('Phone number').fill('+447700900123')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('+447700900123').waitFor()

  await page.getByRole('button', { name: 'Add to topic' }).click()
  const adding = page.getByRole('dialog', { name: 'Add to topic' })
  await adding.getByLabel('Topic').selectOption('Product news')
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Opt out of Product news' }).click()
  await page
    .getByRole('dialog', { name: 'Opt out of Product news?' })
    .getByRole('button', { name: 'Opt out', exact: true })
    .click()
  await page.getByText('Opted in to no topic.').waitFor()

  await page.getByRole('button', { name: 'Unsubscribe grace@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click()
  await page.getByRole('button', { name: 'Resubscribe grace@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resubscribe', exact: true }).click()
  await page.getByRole('button', { name: 'Delete grace@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
  assert.equal((await posthorn.api('GET', `/v1/contacts/${contact.id}`)).status, 404)
})

test('a contact is added to the segment that the form shows, also where others create one meanwhile', async () => {
  await posthorn.api('POST', '/v1/segments', { name: 'Shown' })
  const { id } = await addContact('joins@example.com')
  const page = await posthorn.open(`/app/contacts/${id}`)
  await page.getByRole('button', { name: 'Add to segment' }).click()
  const adding = page.getByRole('dialog', { name: 'Add to segment' })
  await adding.getByLabel('Segment').waitFor()
  await posthorn.api('POST', '/v1/segments', { name: 'Created meanwhile' })
  await adding.getByRole('option', { name: 'Created meanwhile' }).waitFor({ state: 'attached' })
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove from Shown' }).waitFor()
})

test('a save of a contact sends what the person changed, and leaves what a program changed meanwhile', async () => {
  const { id } = await addContact('lin@example.com', { firstName: 'Lin', properties: { city: 'Oslo' } })
  const page = await posthorn.open(`/app/contacts/${id}`)
  await page.getByRole('button', { name: 'Edit contact' }).click()
  const form = page.getByRole('dialog', { name: 'Edit contact' })
  await form.getByLabel('Last name').fill('Berg')
  await posthorn.api('PATCH', `/v1/contacts/${id}`, { firstName: 'Linnea', properties: { city: 'Bergen' } })
  await page.getByText('Bergen', { exact: true }).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const { firstName, lastName, properties } = (await posthorn.api('GET', `/v1/contacts/${id}`)).body
  assert.deepEqual([firstName, lastName, properties], ['Linnea', 'Berg', { city: 'Bergen' }])
  await page.getByRole('button', { name: 'Edit contact' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
})

test('a CSV file is imported in batches, goes on after an interruption, and may be repeated', async () => {
  const rows = Array.from({ length: 2500 }, (_, index) => `row${index}@import.test,Row ${index},"Oslo, ${hostile}"`)
  const csv = `email,First name,city\r\n${rows.join('\r\n')}\r\nnot an address,Bad,\r\n`
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  const page = await posthorn.open('/app/contacts/import')
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByText('2,501 rows').waitFor()
  assert.equal(page.workers().length, 1)
  assert.equal(await page.getByLabel('First name').inputValue(), 'firstName')
  await page.getByLabel('email').selectOption('Leave out')
  await page.getByRole('alert').filter({ hasText: 'Choose the column' }).waitFor()
  await page.getByLabel('email').selectOption('Email')
  await checkAccessibility(page)

  posthorn.mayLog(/Failed to load resource/)
  const sizes: number[] = []
  await page.route('**/v1/contacts/import', (route) => {
    sizes.push((route.request().postDataJSON() as { contacts: object[] }).contacts.length)
    return sizes.length === 2 ? route.abort() : route.continue()
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('2,500 created').waitFor()
  await page.getByText('1 refused').waitFor()
  assert.deepEqual(sizes, [2000, 501, 501])
  await checkAccessibility(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download refused rows' }).click()
  const refused = await readFile(await (await download).path(), 'utf8')
  assert.match(refused, /^email,First name,city,reason\r\nnot an address,Bad,,"?line 2502: email: must be/)

  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('2,500 unchanged').waitFor()
  const { body } = await posthorn.api('GET', '/v1/contacts?search=row2499')
  assert.deepEqual(body.data[0].properties, { city: `Oslo, ${hostile}` })
})

test('a file that cannot be read is refused at its field', async () => {
  const page = await posthorn.open('/app/contacts/import')
  const choose = (name: string, text: string | Buffer) =>
    page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('a.csv', 'email\na@b.test\n"c\n')
  await page.getByRole('alert').filter({ hasText: 'Line 3' }).waitFor()
  await choose('b.csv', Buffer.from('email\nf\u00fc@b.test\n', 'latin1'))
  await page.getByRole('alert').filter({ hasText: 'UTF-8' }).waitFor()
})
