import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayFromMidnight } from '../patience.ts'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('emails that bounced today lead to the bounced emails of today', async () => {
  await awayFromMidnight()
  const email = { from: 'hello@sandbox.test', to: ['bounced@simulator.posthorn.test'], subject: 'Back', text: 'Hi' }
  assert.equal((await posthorn.api('POST', '/v1/emails', email)).status, 200)
  const page = await posthorn.open('/app')
  const wants = page.getByRole('region', { name: 'Needs attention' })
  await wants.getByText('The lists of emails go by the day of acceptance.').waitFor()
  await checkAccessibility(page)
  await wants.getByRole('link', { name: '1 email bounced today' }).click()
  await page.getByRole('table', { name: 'Emails' }).getByRole('link', { name: 'Back', exact: true }).waitFor()
  const { searchParams } = new URL(page.url())
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual([searchParams.get('status'), searchParams.get('from')], ['bounced', today])
})

test('executions that failed today lead to those of their workflow', async () => {
  await awayFromMidnight()
  const run = async (name: string, source: string) => {
    const { id } = (await posthorn.api('POST', '/v1/workflows', { name })).body
    const nodes = [
      { id: 'start', type: 'manual' },
      { id: 'code', type: 'code', config: { source } },
    ]
    const connections = [{ id: 'c1', source: 'start', target: 'code' }]
    const { status, body } = await posthorn.api('PATCH', `/v1/workflows/${id}`, { nodes, connections })
    assert.equal(status, 200, JSON.stringify(body))
    await posthorn.api('POST', `/v1/workflows/${id}/activate`)
    assert.ok((await posthorn.api('POST', `/v1/workflows/${id}/executions`)).status < 300)
  }
  await run('Works', 'return 1')
  await run('Broken', 'throw new Error("The shop is closed")')
  const page = await posthorn.open('/app')
  const wants = page.getByRole('region', { name: 'Needs attention' })
  await wants.getByRole('link', { name: '1 execution of Broken failed today' }).click()
  await page.getByRole('table', { name: 'Executions' }).getByText('The shop is closed').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'failed')
})

test('a person without the second factor that the team requires is told so, and led to it', async () => {
  posthorn.mayLog(/status of 403/)
  const page = await posthorn.open('/app/suppressions')
  const refusal = { status_code: 403, name: 'two_factor_setup_required', message: 'POST /auth/2fa/setup' }
  await page.route('**/v1/contacts?*', (route) => route.fulfill({ status: 403, json: refusal }))
  await page.goto(`${posthorn.url}/app/contacts`)
  const alert = page.getByRole('alert')
  await alert.getByText('Two-factor is required', { exact: true }).waitFor()
  await checkAccessibility(page)
  await alert.getByRole('link', { name: 'Turn on two-factor' }).click()
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
})
