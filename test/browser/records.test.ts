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
