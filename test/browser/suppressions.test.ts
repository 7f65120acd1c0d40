import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('a suppression is added, found, exported and removed', async () => {
  await posthorn.api('POST', '/v1/suppressions', { email: 'other@example.com' })
  const page = await posthorn.open('/app/suppressions')
  await page.getByRole('button', { name: 'Add suppression' }).click()
  const form = page.getByRole('dialog', { name: 'Add suppression' })
  await form.getByLabel('Email').fill('ada@example.com')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const table = page.getByRole('table', { name: 'Suppressions' })
  await table.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Search suppressions' }).fill('ada')
  await table.getByRole('cell', { name: 'other@example.com', exact: true }).waitFor({ state: 'detached' })
  await checkAccessibility(page)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  assert.equal(lines.length, 2)
  assert.match(lines[1]!, /ada@example\.com,manual/)

  await page.getByRole('button', { name: 'Remove ada@example.com' }).click()
  const question = page.getByRole('dialog', { name: 'Remove ada@example.com?' })
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('No suppression matches').waitFor()
})

test('an erased person is shown as one, and the address may be unblocked', async () => {
  const page = await posthorn.open('/app/suppressions')
  await page.evaluate(() =>
    fetch('/v1/privacy/requests', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'erase', email: 'gone@example.com' }),
    }),
  )
  await page.reload()
  const table = page.getByRole('table', { name: 'Suppressions' })
  await table.getByRole('cell', { name: 'Erased address', exact: true }).waitFor()
  await table.getByRole('cell', { name: 'Person was erased' }).waitFor()
  assert.equal(await table.getByText('erased:').count(), 0)
  await page.getByRole('button', { name: 'Remove erased address' }).click()
  const question = page.getByRole('dialog', { name: 'Remove erased address?' })
  await question.getByText('It knows the address only by a hash').waitFor()
  await question.getByRole('button', { name: 'Remove', exact: true }).click()
  await table.getByRole('cell', { name: 'Erased address', exact: true }).waitFor({ state: 'detached' })
})

test('a viewer is offered nothing that changes the audience', async () => {
  const { body: contact } = await posthorn.api('POST', '/v1/contacts', { email: 'seen@example.com' })
  const { body: segment } = await posthorn.api('POST', '/v1/segments', { name: 'Seen' })
  const { body: template } = await posthorn.api('POST', '/v1/templates', { name: 'Seen', text: 'Hi {{name}}' })
  await posthorn.api('POST', `/v1/segments/${segment.id}/contacts`, { contactIds: [contact.id] })
  const page = await posthorn.open('/app')
  await page.route('**/auth/me', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), role: 'viewer' } })
  })
  for (const path of [
    '/suppressions',
    '/contacts',
    `/contacts/${contact.id}`,
    '/contacts/import',
    '/segments',
    `/segments/${segment.id}`,
    '/topics',
    '/templates',
    `/templates/${template.id}`,
    '/templates/new',
  ]) {
    await page.goto(`${posthorn.url}/app${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const buttons = page.getByRole('main').getByRole('button', {
      name: /^(Add|Create|Edit|Delete|Remove|Rename|Unsubscribe|Import|Save|Publish|Opt out)/,
    })
    assert.equal(await buttons.count(), 0, path)
    assert.equal(await page.getByRole('main').getByLabel('CSV file').count(), 0, path)
  }
})
