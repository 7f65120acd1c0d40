import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const hostile = '<img src=x onerror=alert(1)>'

test('the audit log shows a change with its values of before and after, and filters by action', async () => {
  const { body: key } = await posthorn.api('POST', '/v1/topics', { name: hostile })
  await posthorn.api('DELETE', `/v1/topics/${key.id}`)
  const page = await posthorn.open('/app/settings/audit')
  const table = page.getByRole('table', { name: 'Audit log' })
  await table.waitFor()
  await checkAccessibility(page)
  await table
    .getByRole('button', { name: /^Details of / })
    .first()
    .click()
  await page
    .getByRole('dialog', { name: /^Details of / })
    .getByText('Action', { exact: true })
    .waitFor()
  await checkAccessibility(page)
  await page.keyboard.press('Escape')
  await page.getByLabel('Action').fill('no.such_action')
  await page.keyboard.press('Enter')
  await page.getByText('No change matches').waitFor()
})

test('the request log shows a refused request, and leads to it', async () => {
  await posthorn.api('POST', '/v1/emails', {})
  const page = await posthorn.open('/app/settings/requests?path=/v1/emails')
  const logged = async () => (await page.request.get(`${posthorn.url}/v1/requests?path=/v1/emails`)).json()
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').filter({ hasText: 'POST /v1/emails' })
  // The log is written within a second or two. The overview has asked for emails before.
  await eventually(async () =>
    assert.ok((await logged()).data.some(({ method }: { method: string }) => method === 'POST')),
  )
  await page.reload()
  await row.getByText('400').waitFor()
  await checkAccessibility(page)
  await row.getByRole('link').click()
  await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor()
  await page.getByText('validation_error').waitFor()
  await checkAccessibility(page)
})

test('a person is exported to a file, and erased after a question', async () => {
  posthorn.mayLog(/status of 400/)
  await posthorn.api('POST', '/v1/contacts', { email: 'ada@example.com' })
  const page = await posthorn.open('/app/settings/privacy')
  await page.getByRole('button', { name: 'Export person' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Export person' }).click()
  await page.getByRole('link', { name: 'Download file' }).waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Erase').check()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Erase person' }).click()
  const question = page.getByRole('dialog', { name: 'Erase person?' })
  await question.getByRole('button', { name: 'Erase', exact: true }).click()
  const request = page.getByRole('region', { name: 'Request', exact: true })
  await request.getByText('Erase', { exact: true }).waitFor()
  await request.getByText('Done', { exact: true }).waitFor()
  const past = page.getByRole('table', { name: 'Privacy requests' })
  await past.getByRole('row').filter({ hasText: 'Erase' }).getByText('Done').waitFor()
  await past.getByRole('row').filter({ hasText: 'Export' }).getByRole('button', { name: /^Show/ }).click()
  await page.getByRole('link', { name: 'Download file' }).waitFor()
  await checkAccessibility(page)
})

test('an entry of the audit log leads to its request as long as that is kept', async () => {
  const page = await posthorn.open('/app/settings')
  const requestId = '018f0000-0000-7000-8000-000000000000'
  let daysAgo = 6
  await page.route('**/v1/audit?*', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString()
    await route.fulfill({ response, json: { ...rest, data: [{ ...data[0], at, requestId }] } })
  })
  const show = async () => {
    await page.goto(`${posthorn.url}/app/settings/audit`)
    await page.getByRole('button', { name: /^Details of / }).click()
    const dialog = page.getByRole('dialog', { name: /^Details of / })
    await dialog.getByText(requestId).waitFor()
    return dialog.getByRole('link', { name: requestId }).count()
  }
  assert.equal(await show(), 1)
  daysAgo = 8
  assert.equal(await show(), 0)
})

test('a filter of requests by a text that is no status says so at its field', async () => {
  const page = await posthorn.open('/app/settings/requests')
  const status = page.getByLabel('Status', { exact: true })
  await status.fill('4xx')
  await status.press('Enter')
  await page.getByRole('alert').getByText('Write a whole status, such as 422.').waitFor()
  assert.equal(await status.getAttribute('aria-invalid'), 'true')
  await checkAccessibility(page)
  await status.fill('599')
  await status.press('Enter')
  await page.getByText('No request matches').waitFor()
  assert.equal(await status.getAttribute('aria-invalid'), null)
})
