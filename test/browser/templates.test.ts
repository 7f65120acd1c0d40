import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const hostile = '<img src=x onerror=alert(1)>'

test('a template is written, previewed with test data, published and unpublished', async () => {
  const page = await posthorn.open('/app/templates')
  await page.getByText('No templates yet').waitFor()
  await checkAccessibility(page)
  await page.getByRole('link', { name: 'Create template' }).click()
  posthorn.mayLog(/status of 400/)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Name', { exact: true }).fill(hostile)
  await page.getByLabel('HTML', { exact: true }).fill('<h1>Hello {{name}}</h1><p>Order {{order.id}}</p>')
  await page.getByLabel('Text', { exact: true }).fill('Hello {{name}}')
  const data = page.getByRole('group', { name: 'Test data' })
  await data.getByLabel('name', { exact: true }).fill('<b>Ada</b>')
  const preview = page.frameLocator('iframe[title="HTML preview"]:not([aria-hidden="true"])')
  await preview.getByRole('heading', { name: 'Hello <b>Ada</b>' }).waitFor()
  await page.getByText('Nothing fills in {{order.id}}').waitFor()
  await data.getByLabel('order.id').fill('42')
  await preview.getByText('Order 42').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor()
  await page.getByText('Draft').first().waitFor()
  await checkAccessibility(page)

  await page.getByLabel('HTML', { exact: true }).fill('<p>Bye {{name}}</p>')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  // Enter in a field saves, and the template stays published.
  await page.getByLabel('Name', { exact: true }).fill(`${hostile}!`)
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: `${hostile}!` }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill(hostile)
  await page.getByLabel('Name', { exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: hostile, exact: true }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const { body } = await posthorn.api('GET', `/v1/templates/${id}`)
  assert.deepEqual([body.status, body.html, body.text], ['published', '<p>Bye {{name}}</p>', 'Hello {{name}}'])
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor()

  await page.reload()
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), 'Hello {{name}}')
  await page.getByRole('button', { name: `Delete ${hostile}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No templates yet').waitFor()
})

test('a new template whose publishing fails is saved once, and its page says why it is not published', async () => {
  posthorn.mayLog(/status of 503/)
  const page = await posthorn.open('/app/templates/new')
  await page.getByLabel('Name', { exact: true }).fill('Receipt')
  await page.getByLabel('HTML', { exact: true }).fill('<p>Paid</p>')
  const answer = { status: 503, json: { name: 'unavailable', message: 'Not now.' } }
  const refuse = (route: Route) => (route.request().method() === 'PATCH' ? route.fulfill(answer) : route.fallback())
  await page.route('**/v1/templates/*', refuse)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alert').getByText('Not now.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor()
  await page.unroute('**/v1/templates/*', refuse)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  const { body } = await posthorn.api('GET', '/v1/templates')
  assert.deepEqual(
    body.data.map(({ name, status }: { name: string; status: string }) => [name, status]),
    [['Receipt', 'published']],
  )
})
