import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

async function send(subject: string, more: object = {}) {
  const { status, body } = await posthorn.api('POST', '/v1/emails', {
    from: 'Shop <hello@sandbox.test>',
    to: ['ada@example.com'],
    subject,
    text: 'Hello Ada',
    ...more,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return body as { id: string }
}

test('a captured email is read beside the list, and hostile HTML does nothing', async () => {
  posthorn.mayLog(/sandboxed|Content Security Policy/)
  const html = '<p>Hello <b>Ada</b></p><script>parent.document.title = "taken"</script><img src=x onerror="alert(1)">'
  await send('Your order has shipped', {
    html,
    attachments: [{ filename: 'invoice.pdf', content: 'aGVsbG8=' }],
  })
  const page = await posthorn.open('/app/inbox')
  const list = page.getByRole('list', { name: 'Messages' })
  await list.waitFor()
  await list.getByRole('link', { name: /Your order has shipped/ }).waitFor()
  await page.keyboard.press('.')
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Hello Ada').waitFor()
  assert.equal(await page.title(), 'Inbox · Posthorn')
  await checkAccessibility(page)
  await page.getByRole('tab', { name: 'Text' }).click()
  await page.getByRole('tabpanel', { name: 'Text' }).getByText('Hello Ada').waitFor()
  await page.getByRole('tab', { name: 'Headers' }).click()
  await page.getByText('hello@sandbox.test').first().waitFor()
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.getByRole('tabpanel', { name: 'Source' }).getByText('MIME-Version').waitFor()
  await page.getByRole('tab', { name: 'Attachments', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'invoice.pdf' }).click()
  assert.equal((await download).suggestedFilename(), 'invoice.pdf')
  await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor()
})

test('only the message that is read is marked in the list', async () => {
  await send('Read')
  await send('Not read')
  const page = await posthorn.open('/app/inbox')
  const list = page.getByRole('list', { name: 'Messages' })
  await list.getByRole('link').first().click()
  await page.getByRole('article', { name: 'Message' }).getByRole('heading', { level: 2 }).waitFor()
  assert.equal(await list.locator('[aria-current]').count(), 1)
})

test('messages are unread until they are opened in this browser', async () => {
  await send('Opened')
  await send('Left alone')
  const page = await posthorn.open('/app/inbox')
  const list = page.getByRole('list', { name: 'Messages' })
  const unread = (subject: string) => list.getByRole('link', { name: new RegExp(`^Unread .*${subject}`) })
  await unread('Left alone').waitFor()
  await unread('Opened').click()
  await page.getByRole('heading', { level: 2, name: 'Opened' }).waitFor()
  await unread('Opened').waitFor({ state: 'detached' })
  await checkAccessibility(page)
  await page.goto(`${posthorn.url}/app/inbox`)
  await unread('Left alone').waitFor()
  await list.getByRole('link', { name: /Opened/ }).waitFor()
  assert.equal(await unread('Opened').count(), 0)
})

test('at 390 px the list and the message are two pages', async () => {
  await send('On a phone')
  const page = await posthorn.open('/app/inbox')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('link', { name: /On a phone/ }).click()
  await page.getByRole('heading', { level: 2, name: 'On a phone' }).waitFor()
  assert.equal(await page.getByRole('list', { name: 'Messages' }).isVisible(), false)
  await page.getByRole('link', { name: 'Messages' }).click()
  await page.getByRole('list', { name: 'Messages' }).waitFor()
})

test('filters that leave no email are cleared with one button', async () => {
  await send('Found again')
  const page = await posthorn.open('/app/emails?search=nothing-like-this&status=bounced')
  await page.getByText('No email matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Found again' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
})

test('emails are searched and filtered, and one shows what the host said', async () => {
  await send('Bounces for sure', { to: ['bounce@shop.test'] })
  const page = await posthorn.open('/app/emails')
  const table = page.getByRole('table', { name: 'Emails' })
  await table.getByRole('link', { name: 'Bounces for sure' }).waitFor()
  await checkAccessibility(page)
  await page.getByLabel('Status').selectOption('bounced')
  await page.getByText('1 email', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await table.getByRole('link', { name: 'Bounces for sure' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bounces for sure' }).waitFor()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('Bounced').waitFor()
  await timeline.getByText(/550 5\.1\.1/).waitFor()
  await checkAccessibility(page)
  await page.goBack()
  await page.getByText('1 email', { exact: true }).waitFor()
})

test('a scheduled email is rescheduled and cancelled', async () => {
  const { id } = await send('Later', { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  const page = await posthorn.open(`/app/emails/${id}`)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16)
  await dialog.getByLabel('Send at').fill(later)
  await dialog.getByRole('button', { name: 'Reschedule' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await posthorn.api('GET', `/v1/emails/${id}`)).body.scheduledAt.slice(0, 16), later)
  await page.getByRole('button', { name: 'Cancel email' }).click()
  await page.getByRole('dialog', { name: 'Cancel email?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Cancelled').waitFor()
})

test('a schedule that is saved untouched keeps its time to the second', async () => {
  const scheduledAt = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)}:42.000Z`
  const { id } = await send('To the second', { scheduledAt })
  const page = await posthorn.open(`/app/emails/${id}`)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  await dialog.getByRole('button', { name: 'Reschedule' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await posthorn.api('GET', `/v1/emails/${id}`)).body.scheduledAt, scheduledAt)
})

test('a text of a language that is written from the right begins there', async () => {
  const { id } = await send('Hebrew', { html: undefined, text: 'שלום, עולם!' })
  const page = await posthorn.open(`/app/emails/${id}?tab=text`)
  const text = page.getByText('שלום, עולם!')
  const gaps = await text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const [outer, inner] = [element.getBoundingClientRect(), range.getBoundingClientRect()]
    return { left: inner.left - outer.left, right: outer.right - inner.right }
  })
  assert.ok(gaps.right < 40 && gaps.left > 200, JSON.stringify(gaps))
})

test('j and k move over the rows, and Enter opens one', async () => {
  await send('The newest of all')
  const page = await posthorn.open('/app/emails')
  await page.getByRole('link', { name: 'The newest of all' }).waitFor()
  for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('heading', { level: 1, name: 'The newest of all' }).waitFor()
})

test('the inbox is emptied after a question, and is not offered to be emptied again', async () => {
  await send('Soon gone')
  const page = await posthorn.open('/app/inbox')
  await page.getByRole('link', { name: /Soon gone/ }).waitFor()
  await page.getByRole('button', { name: 'Empty inbox' }).click()
  await page.getByRole('dialog', { name: 'Empty inbox?' }).getByRole('button', { name: 'Empty' }).click()
  await page.getByText('No messages yet').waitFor()
  const button = page.getByRole('button', { name: 'Empty inbox' })
  await button.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'SMS' }).click()
  await page.getByText('No messages yet').waitFor()
  await button.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Email' }).click()
  await page.getByLabel('Search messages').fill('nothing')
  await page.getByText('No message matches').waitFor()
  await button.waitFor()
})

test('an email that does not exist is not found', async () => {
  posthorn.mayLog(/status of 404/)
  const page = await posthorn.open('/app/emails/01890a5d-ac96-774b-bcce-b302099a8057')
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
})

test('an email whose attachments and headers cannot be loaded says so, and not that there are none', async () => {
  posthorn.mayLog(/status of 500/)
  const { id } = await send('Half loaded', { attachments: [{ filename: 'invoice.pdf', content: 'aGVsbG8=' }] })
  const page = await posthorn.open('/app/emails')
  let isFailing = true
  await page.route(`**/v1/emails/${id}/message`, (route) =>
    isFailing ? route.fulfill({ status: 500, json: { message: 'The disk is full.' } }) : route.continue(),
  )
  await page.goto(`${posthorn.url}/app/emails/${id}?tab=attachments`)
  const panel = page.getByRole('tabpanel', { name: 'Attachments' })
  await panel.getByRole('alert').getByText('The disk is full.').waitFor()
  await page.getByText('Could not be loaded', { exact: true }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('tab', { name: 'Headers' }).click()
  await page.getByRole('tabpanel', { name: 'Headers' }).getByRole('alert').waitFor()
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No further headers were set.').waitFor()
  await page.getByRole('tab', { name: 'Attachments' }).click()
  await page.getByRole('link', { name: 'invoice.pdf' }).waitFor()
})

test('an email whose body retention has removed says that it is no longer kept', async () => {
  const { id } = await send('Long ago')
  const page = await posthorn.open('/app/emails')
  await page.route(`**/v1/emails/${id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), html: null, text: null } })
  })
  await page.goto(`${posthorn.url}/app/emails/${id}`)
  for (const name of ['HTML', 'Text', 'Source']) {
    await page.getByRole('tab', { name, exact: true }).click()
    await page.getByRole('tabpanel', { name }).getByText('The body was empty, or is no longer kept.').waitFor()
  }
  await page.getByRole('tab', { name: 'Attachments' }).click()
  await page.getByText('This email has no attachments, or they are no longer kept.').waitFor()
})

test('a captured message that is deleted elsewhere leaves the reading pane', async () => {
  posthorn.mayLog(/status of 404/)
  await send('Deleted elsewhere')
  const [{ id }] = (await posthorn.api('GET', '/v1/inbox?search=Deleted')).body.data
  const page = await posthorn.open(`/app/inbox?message=${id}`)
  const pane = page.getByRole('article', { name: 'Message' })
  await pane.getByRole('heading', { level: 2, name: 'Deleted elsewhere' }).waitFor()
  await posthorn.api('DELETE', `/v1/inbox/${id}`)
  await pane.getByText('Not found', { exact: true }).waitFor()
})
