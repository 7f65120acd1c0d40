import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

test('one answers an SMS as the phone that got it', async () => {
  const { body: sender } = await posthorn.api('POST', '/v1/sms/senders', { name: 'Shop', senderId: 'Shop' })
  await posthorn.api('POST', `/v1/sms/senders/${sender.id}/verify`)
  const message = { to: '+61491570156', senderId: sender.id, body: 'Your code is 4711' }
  const { status, body: answer } = await posthorn.api('POST', '/v1/sms', message)
  assert.equal(status, 200, JSON.stringify(answer))
  const page = await posthorn.open('/app/inbox?channel=sms')
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /\+61491570156/ })
    .click()
  const log = page.getByRole('log', { name: 'Conversation' })
  await log.getByText('Your code is 4711').waitFor()
  await page.getByLabel('Reply as this phone').fill('Thank you')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await log.getByText('Thank you').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Reply as this phone').inputValue(), ''))
  await checkAccessibility(page)
})
