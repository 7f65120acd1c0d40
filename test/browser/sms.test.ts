import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function addSender(name: string, senderId: string): Promise<string> {
  const { status, body } = await posthorn.api('POST', '/v1/sms/senders', { name, senderId })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

test('a sender is added with its faults at their fields, verified and deleted', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/sms/senders')
  await page.getByText('No SMS senders yet').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Add sender' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add sender' })
  await dialog.getByLabel('Name', { exact: true }).fill('<b>Shop</b>')
  await dialog.getByLabel('Sender ID').fill('12345')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'letters' }).waitFor()
  await dialog.getByLabel('Sender ID').fill('The Shop')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { level: 1, name: '<b>Shop</b>' }).waitFor()
  const way = page.getByRole('list', { name: 'Verification' })
  await way.getByText('Not begun yet.').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await way.getByText('Verified').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog', { name: 'Edit' }).getByLabel('Name').fill('Old shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Old shop' }).waitFor()
  await page.getByRole('button', { name: 'Delete Old shop' }).click()
  await page.getByRole('dialog', { name: 'Delete Old shop?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No SMS senders yet').waitFor()
})

test('a rejected sender says why', async () => {
  const id = await addSender('Reject me', 'Rejected')
  const page = await posthorn.open('/app/sms/senders')
  await page.getByRole('link', { name: 'Reject me' }).click()
  await page.getByRole('button', { name: 'Verify' }).click()
  const way = page.getByRole('list', { name: 'Verification' })
  await way.getByText('The carrier did not allow the sender ID (simulated).').waitFor()
  await page.getByRole('button', { name: 'Verify' }).waitFor()
  await checkAccessibility(page)
  // The page would ask for what is gone.
  await page.close()
  await posthorn.api('DELETE', `/v1/sms/senders/${id}`)
})

test('an SMS shows its segments and price as one types, and its timeline when it is sent', async () => {
  const id = await addSender('Shop', 'Posthorn')
  await posthorn.api('POST', `/v1/sms/senders/${id}/verify`)
  const page = await posthorn.open('/app/sms')
  await page.getByText('No SMS yet').waitFor()
  await page.getByRole('button', { name: 'Send SMS' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send SMS' })
  await dialog.getByLabel('Message', { exact: true }).fill('a'.repeat(160))
  await dialog.getByText('1 segment').waitFor()
  await dialog.getByLabel('Message', { exact: true }).fill(`${'a'.repeat(160)}ж`)
  await dialog.getByText('3 segments').waitFor()
  await dialog.getByLabel('To').fill('+61 491 570 156')
  await dialog.getByText('$0.08').waitFor()
  await dialog.getByLabel('To').fill('+1 242 359 1234')
  await dialog.getByText('this country is not served').waitFor()
  await checkAccessibility(page)
  await dialog.getByLabel('To').fill('+61 491 570 156')
  await dialog.getByLabel('Message', { exact: true }).fill('<img src=x onerror=alert(1)> has shipped')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { level: 1, name: '+61491570156' }).waitFor()
  const way = page.getByRole('list', { name: 'Timeline' })
  await way.getByText('Delivered', { exact: true }).waitFor()
  await page.getByText('<img src=x onerror=alert(1)> has shipped').waitFor()
  await page.getByText('$0.08').waitFor()
  await checkAccessibility(page)
  await page.getByRole('main').getByRole('link', { name: 'SMS' }).click()
  const table = page.getByRole('table', { name: 'SMS' })
  await table.getByRole('link', { name: '+61491570156' }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed')
  await page.getByText('No SMS matches').waitFor()
})

test('a message that the provider refused ends its timeline at a fault and is not charged', async () => {
  const { data } = (await posthorn.api('GET', '/v1/sms/senders')).body
  const message = { to: '+61491570001', body: 'Hello', senderId: data[0].id }
  const { body } = await posthorn.api('POST', '/v1/sms', message)
  const page = await posthorn.open(`/app/sms/${body.id}`)
  await page.getByRole('list', { name: 'Timeline' }).getByText('not in service (simulated)').waitFor()
  await page.getByText('Not charged').waitFor()
})

test('a number is opted out and in again by keyboard alone', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/sms/opt-outs')
  await page.getByText('No opt-outs yet').waitFor()
  await page.getByRole('button', { name: 'Add opt-out' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add opt-out' })
  await dialog.getByLabel('Phone number').waitFor()
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').filter({ hasText: 'E.164' }).waitFor()
  await dialog.getByLabel('Phone number').fill('+61491570157')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: '+61491570157', exact: true }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Remove +61491570157' }).press('Enter')
  await page
    .getByRole('dialog', { name: 'Remove +61491570157?' })
    .getByRole('button', { name: 'Remove' })
    .press('Enter')
  await page.getByText('No opt-outs yet').waitFor()
  await eventually(async () => assert.equal((await posthorn.api('GET', '/v1/sms/opt-outs')).body.data.length, 0))
})
