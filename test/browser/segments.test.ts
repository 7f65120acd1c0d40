import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from './axe.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()
const hostile = '<img src=x onerror=alert(1)>'

for (const { list, create, leave } of [
  { list: 'Segments', create: 'Create segment', leave: 'Remove' },
  { list: 'Topics', create: 'Create topic', leave: 'Opt out' },
]) {
  const noun = list.toLowerCase()

  test(`${list} are created, filled, renamed and deleted`, async () => {
    const email = `ada@${noun}.test`
    await posthorn.api('POST', '/v1/contacts', { email, firstName: hostile })
    const page = await posthorn.open(`/app/${noun}`)
    await page.getByText(`No ${noun} yet`).waitFor()
    await checkAccessibility(page)
    await page.getByRole('button', { name: create }).click()
    const form = page.getByRole('dialog', { name: create })
    posthorn.mayLog(/status of 400/)
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await form.getByRole('alert').waitFor()
    await form.getByLabel('Name').fill(hostile)
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor()

    await page.getByRole('button', { name: 'Add contacts' }).click()
    const adding = page.getByRole('dialog', { name: 'Add contacts' })
    await adding.getByRole('combobox', { name: 'Contact' }).fill('ada@')
    await adding.getByRole('option', { name: email }).click()
    await checkAccessibility(page)
    await adding.getByRole('button', { name: 'Add', exact: true }).click()
    const table = page.getByRole('table', { name: 'Contacts' })
    await table.getByRole('cell', { name: email, exact: true }).waitFor()
    await page.getByText('1 contact', { exact: false }).first().waitFor()
    await checkAccessibility(page)

    await page.getByRole('button', { name: `${leave} ${email}` }).click()
    const question = page.getByRole('dialog', { name: `${leave} ${email}?` })
    await question.getByRole('button', { name: leave, exact: true }).click()
    await page.getByText('No contacts yet').waitFor()

    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog', { name: 'Rename' }).getByLabel('Name').fill('Customers')
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.getByRole('link', { name: list }).last().click()
    await page.getByRole('table', { name: list }).getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('button', { name: 'Delete Customers' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText(`No ${noun} yet`).waitFor()
    assert.deepEqual((await posthorn.api('GET', `/v1/${noun}`)).body.data, [])
  })
}

test('Enter waits for the answer to what is typed, also when the field is left, and leaves the contacts of an earlier answer unchosen', async () => {
  const { id } = (await posthorn.api('POST', '/v1/segments', { name: 'Waiting' })).body
  const [wanted, newest] = ['zoe@waiting.test', 'newest@waiting.test']
  for (const email of [wanted, newest]) await posthorn.api('POST', '/v1/contacts', { email })
  const page = await posthorn.open(`/app/segments/${id}`)
  await page.getByRole('button', { name: 'Add contacts' }).click()
  const adding = page.getByRole('dialog', { name: 'Add contacts' })
  const field = adding.getByRole('combobox', { name: 'Contact' })
  const chosen = adding.getByRole('list', { name: 'Chosen contacts' })
  await field.click()
  await adding.getByRole('option', { name: newest }).waitFor()
  const isEntered = Promise.withResolvers<void>()
  await page.route(
    ({ pathname, searchParams }) => pathname === '/v1/contacts' && searchParams.get('search') === wanted,
    async (route) => {
      await isEntered.promise
      await route.continue()
    },
  )
  await field.fill(wanted)
  await field.press('Enter')
  assert.equal(await chosen.count(), 0)
  await field.press('Tab')
  isEntered.resolve()
  await chosen.getByText(wanted).waitFor()
  assert.equal(await chosen.getByRole('listitem').count(), 1)
})
