import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './axe.ts'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const follow = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()

async function holds(page: Page, name: string, value: string): Promise<void> {
  await eventually(async () => assert.equal(await field(page, name).inputValue(), value))
}

async function discard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Discard' }).click()
  const question = page.getByRole('dialog', { name: 'Discard draft?' })
  await question.getByRole('button', { name: 'Discard', exact: true }).click()
}

async function createTemplate(): Promise<string> {
  return (await posthorn.api('POST', '/v1/templates', { name: 'Welcome', html: '<p>Hi</p>', text: 'Hi' })).body.id
}

async function createWorkflow(): Promise<string> {
  const { id } = (await posthorn.api('POST', '/v1/workflows', { name: 'Hello' })).body
  const nodes = [{ id: 'start', type: 'manual', name: 'Begin' }]
  assert.equal((await posthorn.api('PATCH', `/v1/workflows/${id}`, { nodes, connections: [] })).status, 200)
  return id
}

/** Leaves a page in every way that people leave one. */
const ways: [string, (page: Page) => Promise<Page>][] = [
  [
    'following a link and pressing Back',
    async (page) => {
      await follow(page, 'Domains')
      await page.getByRole('status').getByText('What you typed is kept').waitFor()
      await heading(page, 'Domains').waitFor()
      await page.goBack()
      return page
    },
  ],
  [
    'a reload',
    async (page) => {
      await page.reload()
      return page
    },
  ],
  [
    'closing the tab',
    async (page) => {
      const path = new URL(page.url()).pathname
      const closed = page.waitForEvent('close')
      await page.close({ runBeforeUnload: true })
      await closed
      return posthorn.open(path)
    },
  ],
]

for (const [name, leaveAndReturn] of ways) {
  test(`what is typed in Compose, a template, a broadcast and a workflow is kept over ${name}`, async () => {
    let page = await posthorn.open('/app/emails/new')
    await field(page, 'Subject').fill('Half written')
    await page.getByRole('textbox', { name: 'HTML' }).fill('<p>Dear Ada</p>')
    page = await leaveAndReturn(page)
    await page.getByText('Draft kept').waitFor()
    await holds(page, 'Subject', 'Half written')
    await page.getByRole('textbox', { name: 'HTML' }).getByText('Dear Ada').waitFor()
    await discard(page)
    await holds(page, 'Subject', '')

    page = await posthorn.open(`/app/templates/${await createTemplate()}`)
    await field(page, 'Text').fill('Hi, and more')
    page = await leaveAndReturn(page)
    await page.getByText('Draft kept').waitFor()
    await holds(page, 'Text', 'Hi, and more')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Draft kept').waitFor({ state: 'detached' })

    page = await posthorn.open('/app/broadcasts/new')
    await field(page, 'Subject').fill('June news')
    page = await leaveAndReturn(page)
    await holds(page, 'Subject', 'June news')
    await discard(page)
    await holds(page, 'Subject', '')

    page = await posthorn.open(`/app/workflows/${await createWorkflow()}?step=start`)
    await field(page, 'Name').fill('Renamed')
    page = await leaveAndReturn(page)
    await page.getByText('Draft kept').waitFor()
    const steps = page.getByRole('list', { name: 'Steps' })
    await steps.getByRole('button', { name: /^Renamed/ }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await steps.getByRole('button', { name: /^Begin/ }).waitFor()
    await page.getByText('Draft kept').waitFor({ state: 'detached' })
  })
}

test('a dialog that is closed keeps what was typed in it, and forgets it when it is submitted', async () => {
  const page = await posthorn.open('/app/contacts')
  const open = () => page.getByRole('button', { name: 'Add contact' }).click()
  await open()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  await dialog.getByLabel('Email').fill('ada@example.com')
  await dialog.getByLabel('Properties').fill('{"city": "London"}')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await open()
  await dialog.getByText('Draft kept').waitFor()
  assert.equal(await dialog.getByLabel('Properties').inputValue(), '{"city": "London"}')
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor()
  await open()
  await dialog.getByLabel('Email').waitFor()
  assert.equal(await dialog.getByLabel('Email').inputValue(), '')
})

const dialogs = [
  { path: '/app/webhooks', button: 'Add webhook', label: 'Endpoint URL', words: 'https://example.com/hook' },
  { path: '/app/whatsapp/templates', button: 'Create template', label: 'Body', words: 'Hello {{1}}' },
  { path: '/app/workflows', button: 'Create workflow', label: 'Description', words: 'For new customers' },
]

for (const { path, button, label, words } of dialogs) {
  test(`${button} keeps what was typed over Back and a reload`, async () => {
    const page = await posthorn.open('/app/domains')
    await heading(page, 'Domains').waitFor()
    await page.goto(posthorn.url + path)
    const dialog = page.getByRole('dialog', { name: button })
    const open = () => page.getByRole('button', { name: button }).first().click()
    await open()
    await dialog.getByLabel(label).fill(words)
    await page.goBack()
    await heading(page, 'Domains').waitFor()
    await page.goForward()
    await page.reload()
    await open()
    await dialog.getByText('Draft kept').waitFor()
    assert.equal(await dialog.getByLabel(label).inputValue(), words)
  })
}

test('two tabs write two emails, and an email that is sent is not offered again', async () => {
  const one = await posthorn.open('/app/emails/new')
  await field(one, 'Subject').fill('One')
  const other = await posthorn.open('/app/emails/new')
  await heading(other, 'Compose').waitFor()
  assert.equal(await field(other, 'Subject').inputValue(), '')
  await field(other, 'From').fill('hello@sandbox.test')
  await field(other, 'To').fill('ada@example.com')
  await field(other, 'Subject').fill('Other')
  await field(other, 'Text').fill('Hello')
  await other.reload()
  await holds(other, 'Subject', 'Other')
  await one.reload()
  await holds(one, 'Subject', 'One')
  await other.getByRole('button', { name: 'Send', exact: true }).click()
  await heading(other, 'Other').waitFor()
  await other.goto(`${posthorn.url}/app/emails/new`)
  await heading(other, 'Compose').waitFor()
  assert.equal(await field(other, 'Subject').inputValue(), '')
})

test('a draft that is kept is joined with what another person saved meanwhile', async () => {
  const id = await createTemplate()
  const page = await posthorn.open(`/app/templates/${id}`)
  await field(page, 'Text').fill('Mine')
  await follow(page, 'Domains')
  await heading(page, 'Domains').waitFor()
  await posthorn.api('PATCH', `/v1/templates/${id}`, { name: 'Theirs' })
  await page.goBack()
  await holds(page, 'Name', 'Theirs')
  await holds(page, 'Text', 'Mine')
  await page.getByRole('alert').getByText('Someone else changed this template').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => {
    const { body } = await posthorn.api('GET', `/v1/templates/${id}`)
    assert.deepEqual([body.name, body.text], ['Theirs', 'Mine'])
  })
})

test('the second of two people who edit one template is told, and nothing typed is lost', async () => {
  const id = await createTemplate()
  const page = await posthorn.open(`/app/templates/${id}`)
  await field(page, 'Text').fill('Mine')
  await posthorn.api('PATCH', `/v1/templates/${id}`, { text: 'Theirs', name: 'Renamed' })
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else changed this template' })
  await alert.getByText('You both changed Text').waitFor()
  await holds(page, 'Text', 'Mine')
  await holds(page, 'Name', 'Renamed')
  await checkAccessibility(page)
  await page.reload()
  await alert.getByText('You both changed Text').waitFor()
  await alert.getByRole('button', { name: 'Take theirs' }).click()
  await holds(page, 'Text', 'Theirs')
})

test('a save that comes second without a hint overwrites nothing before it is told', async () => {
  const id = await createTemplate()
  const page = await posthorn.open(`/app/templates/${id}`)
  await heading(page, 'Welcome').waitFor()
  // Neither the stream nor a refetch tells the page of the other's change.
  await page.route('**/v1/live', () => undefined)
  await page.reload()
  await field(page, 'Text').fill('Mine')
  await posthorn.api('PATCH', `/v1/templates/${id}`, { text: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Not saved: someone else changed the same fields').waitFor()
  const stored = async () => (await posthorn.api('GET', `/v1/templates/${id}`)).body.text
  assert.equal(await stored(), 'Theirs')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => assert.equal(await stored(), 'Mine'))
  await page.getByText('You both changed').waitFor({ state: 'detached' })
})

/** Lets another person save at the moment when the page saves: after its last read. */
async function saveJustBefore(page: Page, path: string, body: object): Promise<void> {
  let isFirst = true
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'PATCH' && isFirst) {
      isFirst = false
      assert.equal((await posthorn.api('PATCH', path, body)).status, 200)
    }
    await route.continue()
  })
}

test('of two saves of a template at the same moment the second is told, and both changes of different fields stay', async () => {
  posthorn.mayLog(/status of 412/)
  const id = await createTemplate()
  const path = `/v1/templates/${id}`
  const stored = async () => (await posthorn.api('GET', path)).body
  const page = await posthorn.open(`/app/templates/${id}`)
  await field(page, 'Text').fill('Mine')
  await saveJustBefore(page, path, { text: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Not saved: someone else changed the same fields').waitFor()
  assert.equal((await stored()).text, 'Theirs')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => assert.equal((await stored()).text, 'Mine'))
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })

  await field(page, 'Text').fill('Mine again')
  await saveJustBefore(page, path, { name: 'Renamed' })
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => {
    const { name, text } = await stored()
    assert.deepEqual([name, text], ['Renamed', 'Mine again'])
  })
  await holds(page, 'Name', 'Renamed')
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })
})

test('of two saves of a workflow at the same moment the second is told, and replaces nothing', async () => {
  posthorn.mayLog(/status of 412/)
  const id = await createWorkflow()
  const path = `/v1/workflows/${id}`
  const page = await posthorn.open(`/app/workflows/${id}?step=start`)
  await field(page, 'Name').fill('Mine')
  await saveJustBefore(page, path, { nodes: [{ id: 'start', type: 'manual', name: 'Theirs' }] })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save mine' }).waitFor()
  const name = async () => (await posthorn.api('GET', path)).body.nodes[0].name
  assert.equal(await name(), 'Theirs')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await eventually(async () => assert.equal(await name(), 'Mine'))
})

test('a kept draft of a workflow that another person saved meanwhile is told of it', async () => {
  const id = await createWorkflow()
  const page = await posthorn.open(`/app/workflows/${id}?step=start`)
  await field(page, 'Name').fill('Mine')
  await follow(page, 'Domains')
  await heading(page, 'Domains').waitFor()
  await posthorn.api('PATCH', `/v1/workflows/${id}`, { nodes: [{ id: 'start', type: 'manual', name: 'Theirs' }] })
  await page.goBack()
  const alert = page.getByRole('alert').filter({ hasText: 'Somebody else changed this workflow' })
  await alert.waitFor()
  await holds(page, 'Name', 'Mine')
  await alert.getByRole('button', { name: 'Save mine' }).click()
  await eventually(async () => {
    assert.equal((await posthorn.api('GET', `/v1/workflows/${id}`)).body.nodes[0].name, 'Mine')
  })
})

test('signing out forgets the drafts of this browser', async () => {
  posthorn.mayLog(/status of 401/)
  const page = await posthorn.openSignedOut('/app/sign-in?next=/emails/new')
  const signIn = async () => {
    await field(page, 'Email').fill(posthorn.account.email)
    await field(page, 'Password').fill(posthorn.account.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Compose').waitFor()
  }
  await signIn()
  await field(page, 'Subject').fill('A secret')
  await page.reload()
  await page.getByText('Draft kept').waitFor()
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'Sign in').waitFor()
  assert.equal(await page.evaluate("JSON.stringify(localStorage).includes('A secret')"), false)
  await page.goto(`${posthorn.url}/app/sign-in?next=/emails/new`)
  await signIn()
  assert.equal(await field(page, 'Subject').inputValue(), '')
})
