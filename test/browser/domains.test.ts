import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

// No DNS server answers here, so that names outside of the reserved ones stay unverified.
const posthorn = await openDashboard({ DNS_SERVERS: '127.0.0.1:9' })

test('a domain is added, shows its records and is verified', async () => {
  const page = await posthorn.open('/app/domains')
  await page.getByRole('button', { name: 'Add domain' }).click()
  const form = page.getByRole('dialog', { name: 'Add domain' })
  await form.getByLabel('Domain name').fill('shop.example')
  await checkAccessibility(page)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'shop.example' }).waitFor()
  const records = page.getByRole('table', { name: 'DNS records' })
  const dkim = records.getByRole('row').filter({ hasText: 'posthorn._domainkey.shop.example' })
  await dkim.getByRole('button', { name: 'Copy name' }).waitFor()
  await dkim.getByRole('button', { name: 'Copy value' }).waitFor()
  await dkim.getByText('Pending').waitFor()
  await page.getByRole('button', { name: 'Verify DNS' }).click()
  await dkim.getByText('Found in DNS').waitFor()
  await page.getByRole('list', { name: 'Verification' }).getByText('Verified', { exact: true }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('link', { name: 'Domains' }).first().click()
  await page.getByRole('table', { name: 'Domains' }).getByRole('link', { name: 'shop.example' }).waitFor()
  await checkAccessibility(page)
})

test('a record says what DNS was found to hold', async () => {
  const { body } = await posthorn.api('POST', '/v1/domains', { name: 'posthorn.dev' })
  const page = await posthorn.open(`/app/domains/${body.id}`)
  await page.getByText('Not looked up yet').first().waitFor()
  await page.getByRole('button', { name: 'Verify DNS' }).click()
  await page.getByRole('table', { name: 'DNS records' }).getByText('DNS did not answer').first().waitFor()
})

test('a record whose value only the operator knows shows the advice, and nothing to copy', async () => {
  const { body } = await posthorn.api('POST', '/v1/domains', { name: 'relayed.example' })
  const note = 'Ask the operator which SPF record the mail relay needs.'
  const page = await posthorn.open('/app/domains')
  await page.route(`**/v1/domains/${body.id}`, async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    json.records[1] = { ...json.records[1], value: '', note }
    await route.fulfill({ response, json })
  })
  await page.route(`**/v1/domains/${body.id}/verify`, async (route) => {
    const records = body.records.map((record: object, index: number) => ({
      ...record,
      ...(index === 1 && { value: '', note }),
      status: index === 0 ? 'verified' : 'pending',
    }))
    await route.fulfill({ json: { ...body, status: 'pending', records } })
  })
  await page.getByRole('link', { name: 'relayed.example' }).click()
  const spf = page.getByRole('table', { name: 'DNS records' }).getByRole('row').filter({ hasText: note })
  await spf.getByText('Not looked up').waitFor()
  await spf.getByRole('button', { name: 'Copy name' }).waitFor()
  assert.equal(await spf.getByRole('button', { name: 'Copy value' }).count(), 0)
  await checkAccessibility(page)
  const lookedUp = body.records.length - 1
  await page.getByText(`0 of ${lookedUp} records found`).waitFor()
  await page.getByRole('button', { name: 'Verify DNS' }).click()
  await page
    .getByRole('status')
    .getByText(`${lookedUp - 1} record`)
    .waitFor()
})

test('tracking, TLS and the return path are set, and a fault stands at its field', async () => {
  const { body } = await posthorn.api('POST', '/v1/domains', { name: 'settings.example' })
  const page = await posthorn.open(`/app/domains/${body.id}`)
  await page.getByLabel('Click tracking').check()
  await page.getByLabel('TLS').selectOption('Enforced')
  await page.getByLabel('Return path').fill('not a name')
  posthorn.mayLog(/status of 400/)
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .getByText(/must be a label/)
    .waitFor()
  await page.getByLabel('Return path').fill('bounce')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('are saved').waitFor()
  await page.getByRole('cell', { name: 'track.settings.example' }).waitFor()
  const { body: after } = await posthorn.api('GET', `/v1/domains/${body.id}`)
  assert.deepEqual([after.clickTracking, after.tls, after.customReturnPath], [true, 'enforced', 'bounce'])
})

test('settings that are typed stay when DNS is looked up, and those that another person saves are shown', async () => {
  const { body } = await posthorn.api('POST', '/v1/domains', { name: 'typed.example' })
  const page = await posthorn.open(`/app/domains/${body.id}`)
  await page.getByLabel('Return path').fill('bounce')
  await page.getByLabel('Click tracking').check()
  await page.getByRole('button', { name: 'Verify DNS' }).click()
  await page.getByRole('list', { name: 'Verification' }).getByText('Verified', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Return path').inputValue(), 'bounce')
  assert.equal(await page.getByLabel('Click tracking').isChecked(), true)
  await posthorn.api('PATCH', `/v1/domains/${body.id}`, { tls: 'enforced' })
  await eventually(async () => assert.equal(await page.getByLabel('TLS').inputValue(), 'enforced'))
})

test('a DKIM key is rotated, and a domain deleted', async () => {
  const { body } = await posthorn.api('POST', '/v1/domains', { name: 'rotated.example' })
  await posthorn.api('POST', `/v1/domains/${body.id}/verify`)
  const page = await posthorn.open(`/app/domains/${body.id}`)
  await page.getByRole('button', { name: 'Rotate DKIM' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('cell', { name: 'posthorn2._domainkey.rotated.example' }).waitFor()
  await page.getByRole('button', { name: 'Delete rotated.example' }).click()
  const question = page.getByRole('dialog', { name: 'Delete rotated.example?' })
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor()
  await page.getByRole('link', { name: 'rotated.example' }).waitFor({ state: 'detached' })
})

test('only a domain that is not there is said to be missing', async () => {
  posthorn.mayLog(/status of (404|500)/)
  const { body } = await posthorn.api('POST', '/v1/domains', { name: 'failing.example' })
  const page = await posthorn.open('/app/domains/00000000-0000-7000-8000-000000000000')
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  await page.getByText('belongs to another team').waitFor()
  await page.route(`**/v1/domains/${body.id}`, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`${posthorn.url}/app/domains/${body.id}`)
  await page.getByText('This could not be loaded').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Domain' }).waitFor()
  await checkAccessibility(page)
})
