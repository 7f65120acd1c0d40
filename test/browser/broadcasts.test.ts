import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { tokenOfLink } from '../link-token.ts'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const hostile = '<img src=x onerror=alert(1)>"\'{{x}}'

async function createAudience(name: string) {
  const segmentId = (await posthorn.api('POST', '/v1/segments', { name })).body.id as string
  const contactIds: string[] = []
  for (const local of ['ada', 'grace', 'uno']) {
    const email = `${local}.${segmentId}@example.com`
    contactIds.push((await posthorn.api('POST', '/v1/contacts', { email, firstName: local })).body.id)
  }
  await posthorn.api('PATCH', `/v1/contacts/${contactIds[2]}`, { unsubscribed: true })
  await posthorn.api('POST', `/v1/segments/${segmentId}/contacts`, { contactIds })
  return segmentId
}

async function createDraft(name: string) {
  const segmentId = await createAudience(`Segment of ${name}`)
  const content = { subject: 'News for {{firstName}}', html: '<p>Hello {{firstName}}</p>' }
  const fields = { name, from: 'News <news@sandbox.test>', segmentId, ...content }
  const { status, body } = await posthorn.api('POST', '/v1/broadcasts', fields)
  assert.equal(status, 201)
  return body.id as string
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('a broadcast is written, tested, reviewed and sent, and its results are shown', async () => {
  await createAudience(`Readers ${hostile}`)
  const page = await posthorn.open('/app/broadcasts')
  await page.getByRole('link', { name: 'Create broadcast' }).first().click()
  await heading(page, 'New broadcast').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('June news')
  await page.getByLabel('From', { exact: true }).fill('News <news@sandbox.test>')
  await page.getByLabel('Segment').selectOption({ index: 1 })
  await page.getByLabel('Subject').fill('News for {{firstName}}')
  await page
    .getByRole('textbox', { name: 'HTML' })
    .fill('<p>Hello {{firstName}}, <a href="https://example.com">read</a></p>')
  const contact = page.getByLabel('Preview as')
  // It shows a contact of the segment by itself, which must not come between the letters.
  await eventually(async () => assert.match(await contact.inputValue(), /@example\.com$/))
  await contact.fill('ada')
  await page.getByRole('listbox', { name: 'Preview as' }).getByRole('option').first().click()
  await page.frameLocator('iframe[title="HTML preview"]').getByText('Hello ada').waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await heading(page, 'June news').waitFor()

  await page.getByRole('button', { name: 'Send a test' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a test' })
  await dialog.getByLabel('To').fill('me@example.com')
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('status').getByText('1 test sent').waitFor()

  await page.getByRole('button', { name: 'Review and send' }).click()
  const review = page.getByRole('dialog', { name: 'Send June news?' })
  await review.getByText('2 people').waitFor()
  await review.getByText('unsubscribed').waitFor()
  await review.getByRole('button', { name: 'Send now' }).click()
  const results = page.getByRole('region', { name: 'Results' })
  await results.waitFor()
  await results.getByRole('table', { name: 'Recipients' }).getByText('Left out: unsubscribed').waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Sent').waitFor()
  await results.getByLabel('Outcome').selectOption('unsubscribed')
  await eventually(async () => assert.equal(await results.getByText('Show email').count(), 0))
  await results.getByLabel('Outcome').selectOption('delivered')
  await results.getByRole('link', { name: /^Show email to ada\..*@example\.com$/ }).waitFor()
  await checkAccessibility(page)
})

test('a duplicate makes its text from its own HTML, unless the text was written', async () => {
  const make = async (name: string, more: object) => {
    const id = await createDraft(name)
    await posthorn.api('PATCH', `/v1/broadcasts/${id}`, more)
    await posthorn.api('POST', `/v1/broadcasts/${id}/send`)
    const page = await posthorn.open(`/app/broadcasts/${id}`)
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await heading(page, 'New broadcast').waitFor()
    await page.getByRole('textbox', { name: 'HTML' }).fill('<p>News of July</p>')
    return page
  }
  const saved = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Save draft' }).click()
    await heading(page, `${name} (copy)`).waitFor()
    return (await posthorn.api('GET', `/v1/broadcasts/${page.url().split('/').at(-1)}`)).body.text
  }
  const made = await make('Made', { html: '<p>News of June for {{firstName}}</p>' })
  assert.equal(await made.getByLabel('Text', { exact: true }).inputValue(), '')
  assert.equal(await saved(made, 'Made'), 'News of July')
  const written = await make('Written', { html: '<p>News of June</p>', text: 'Read it on the web.' })
  assert.equal(await saved(written, 'Written'), 'Read it on the web.')
})

test('a new broadcast starts from a published template, and what is written is replaced only after a question', async () => {
  const page = await posthorn.open('/app/broadcasts/new')
  const html = page.getByRole('textbox', { name: 'HTML' })
  const text = page.getByLabel('Text', { exact: true })
  const start = page.getByRole('button', { name: 'Start from a template' })
  const dialog = page.getByRole('dialog', { name: 'Start from a template' })
  await start.click()
  await dialog.getByText('No template is published yet').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  const createTemplate = async (content: object) =>
    (await posthorn.api('POST', '/v1/templates', content)).body.id as string
  const publish = (id: string) => posthorn.api('PATCH', `/v1/templates/${id}`, { status: 'published' })
  await publish(await createTemplate({ name: 'Issue', html: '<p>Issue for {{firstName}}</p>', text: 'The issue' }))
  await publish(await createTemplate({ name: `Bare ${hostile}`, html: '<p>Bare {{nothing}}</p>' }))
  await createTemplate({ name: 'Unfinished', html: '<p>Not yet</p>' })
  await start.click()
  const template = dialog.getByLabel('Template')
  await template.waitFor()
  assert.deepEqual(await template.getByRole('option').allInnerTexts(), [`Bare ${hostile}`, 'Issue'])
  await checkAccessibility(page)
  await template.selectOption('Issue')
  await dialog.getByRole('button', { name: 'Use template' }).click()
  await page.getByRole('status').getByText('HTML and text are those of Issue').waitFor()
  assert.equal(await html.innerText(), '<p>Issue for {{firstName}}</p>')
  assert.equal(await text.inputValue(), 'The issue')
  await page.frameLocator('iframe[title="HTML preview"]:not([aria-hidden="true"])').getByText('Issue for').waitFor()

  await text.fill('My own words')
  const replace = page.getByRole('dialog', { name: 'Replace HTML and text?' })
  const chooseBare = async () => {
    await start.click()
    await template.selectOption(`Bare ${hostile}`)
    await dialog.getByRole('button', { name: 'Use template' }).click()
    await replace.waitFor()
  }
  await chooseBare()
  await checkAccessibility(page)
  await replace.getByRole('button', { name: 'Back' }).click()
  assert.equal(await text.inputValue(), 'My own words')
  assert.equal(await html.innerText(), '<p>Issue for {{firstName}}</p>')
  await chooseBare()
  await replace.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Nothing fills in {{nothing}}').waitFor()
  assert.equal(await html.innerText(), '<p>Bare {{nothing}}</p>')
  assert.equal(await text.inputValue(), '')

  await page.getByLabel('Name', { exact: true }).fill('From a template')
  await page.getByLabel('From', { exact: true }).fill('news@sandbox.test')
  await page.getByLabel('Segment').selectOption({ index: 1 })
  await page.getByLabel('Subject').fill('News')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await heading(page, 'From a template').waitFor()
  assert.equal(await start.count(), 0)
  const { body } = await posthorn.api('GET', `/v1/broadcasts/${page.url().split('/').at(-1)}`)
  assert.equal(body.html, '<p>Bare {{nothing}}</p>')
})

test('faults of a draft stand at their fields', async () => {
  posthorn.mayLog(/status of 400/)
  const page = await posthorn.open('/app/broadcasts/new')
  await page.getByLabel('Name', { exact: true }).fill('Half')
  await page.getByLabel('From', { exact: true }).fill('nobody')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByLabel('Segment').getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half')
  await checkAccessibility(page)
})

test('the second of two people who edit one draft is told, and nothing typed is lost', async () => {
  const id = await createDraft('Shared')
  const page = await posthorn.open(`/app/broadcasts/${id}`)
  await page.getByLabel('Subject').fill('Mine')
  await posthorn.api('PATCH', `/v1/broadcasts/${id}`, { subject: 'Theirs', name: 'Renamed' })
  await page.getByRole('alert').getByText('Someone else changed this draft').waitFor()
  assert.equal(await page.getByLabel('Subject').inputValue(), 'Mine')
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Renamed')
  assert.equal((await posthorn.api('GET', `/v1/broadcasts/${id}`)).body.subject, 'Theirs')
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await eventually(async () => assert.equal((await posthorn.api('GET', `/v1/broadcasts/${id}`)).body.subject, 'Mine'))
})

test('what is typed stays when another person sends the draft', async () => {
  const id = await createDraft('Hurried')
  const page = await posthorn.open(`/app/broadcasts/${id}`)
  await page.getByLabel('Subject').fill('Too late')
  await posthorn.api('POST', `/v1/broadcasts/${id}/send`)
  const isPressed = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/v1/broadcasts', async (route) => {
    asked++
    await isPressed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save as another draft' }).dblclick()
  isPressed.resolve()
  await page.getByRole('button', { name: 'Review and send' }).waitFor()
  const { data } = (await posthorn.api('GET', '/v1/broadcasts')).body
  assert.equal(data.filter(({ subject }: { subject: string }) => subject === 'Too late').length, 1)
  assert.equal(asked, 1, 'two presses make one draft')
})

test('a scheduled broadcast shows its audience and becomes a draft again when it is cancelled', async () => {
  const id = await createDraft(hostile)
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  await posthorn.api('PATCH', `/v1/broadcasts/${id}`, { scheduledAt })
  await posthorn.api('POST', `/v1/broadcasts/${id}/send`)
  const page = await posthorn.open(`/app/broadcasts/${id}`)
  await page.getByText('2 people').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Cancel broadcast' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel broadcast?' })
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Review and send' }).waitFor()
  await checkAccessibility(page)
})

test('a viewer reads a draft and is offered no change', async () => {
  const id = await createDraft('Read only')
  const owner = await posthorn.open('/app/broadcasts')
  const headers = { origin: posthorn.url }
  const invite = { headers, data: { email: 'viewer@example.com', role: 'viewer' } }
  const invited = await owner.request.post(`${posthorn.url}/v1/team/invitations`, invite)
  assert.ok(invited.ok(), await invited.text())
  const token = tokenOfLink((await invited.json()).url)
  const password = 'correct horse battery staple'
  const page = await posthorn.openSignedOut('/app/sign-in')
  const accept = { data: { token, name: 'Vi', password } }
  assert.equal((await page.request.post(`${posthorn.url}/auth/invitations`, accept)).ok(), true)
  await page.getByLabel('Email').fill('viewer@example.com')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await heading(page, 'Overview').waitFor()
  await page.goto(`${posthorn.url}/app/broadcasts/${id}`)
  await heading(page, 'Read only').waitFor()
  await page.getByText('Owners, admins and marketers may change and send this draft.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Save|Send|Delete/ }).count(), 0)
  await page.goto(`${posthorn.url}/app/emails/new`)
  await page.getByText('Owners, admins and developers may send emails.').waitFor()
})
