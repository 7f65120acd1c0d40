import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function newKey(): Promise<string> {
  const { body } = await posthorn.api('POST', '/v1/api-keys', { name: 'Pasted', permission: 'full_access' })
  return body.key
}

test('a request is tried out with a pasted key, and the browser’s session is out of reach of the page', async () => {
  posthorn.mayLog(/@scalar/)
  const page = await posthorn.open('/docs#tag/emails/GET/v1/emails')
  await page.getByPlaceholder('Token').fill(await newKey())
  await page.getByRole('button', { name: 'Test Request (get /v1/emails)', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Send/ }).first().click()
  await dialog.getByText('200 OK').waitFor()

  assert.deepEqual(await page.evaluate(() => [self.origin, location.pathname]), ['null', '/docs'])
  await assert.rejects(
    page.evaluate(() => document.cookie),
    /SecurityError/,
  )
  posthorn.mayLog(/auth\/me|ERR_FAILED/)
  await assert.rejects(
    page.evaluate((url) => fetch(`${url}/auth/me`), posthorn.url),
    /Failed to fetch/,
  )
})

test('the document that the page shows can be downloaded', async () => {
  posthorn.mayLog(/@scalar/)
  const page = await posthorn.open('/docs')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download OpenAPI Document' }).first().click()
  assert.match((await downloading).suggestedFilename(), /\.json$/)
})
