import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp, ok } from '../../../test/app.ts'
import { pluck } from '../../../test/pluck.ts'
import { obedientProvider, openShop, webhookSecret } from '../fixtures/shop.ts'
import type { WhatsappSubmissionAnswer, WhatsappTemplateSubmission } from '../provider.ts'
import type { WhatsappTemplateStatus } from './table.ts'

const { provider } = obedientProvider()
const posthorn = await createTestApp({ WHATSAPP_WEBHOOK_SECRET: webhookSecret }, { whatsappProvider: provider })
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const statuses = ['draft', 'submitted', 'approved', 'rejected', 'disabled'] as const

async function makeTemplate(shop: Awaited<ReturnType<typeof openShop>>, fields: object = {}) {
  const { api, team } = shop
  const made = await ok(api.post('/v1/whatsapp/templates', { name: 'welcome', body: 'Hello {{1}}', ...fields }))
  const path = `/v1/whatsapp/templates/${made.id}`
  const setStatus = (status: WhatsappTemplateStatus) =>
    posthorn.app.db
      .updateTable('whatsapp_templates')
      .set({ status })
      .where('team_id', '=', team.id)
      .where('id', '=', made.id)
      .execute()
  const review = (status: string, more: object = {}) => {
    const { name: templateName, language } = made
    return ok(shop.tell({ type: 'template_status', wabaId: shop.wabaId, templateName, language, status, ...more }))
  }
  const submit = () => api.post(`${path}/submit`)
  return { api, made, path, setStatus, review, submit, read: () => ok(api.get(path)) }
}

function submitAs(answer: WhatsappSubmissionAnswer | (() => Promise<WhatsappSubmissionAnswer>)) {
  const asked: WhatsappTemplateSubmission[] = []
  provider.submitTemplate = async (template) => {
    asked.push(template)
    return typeof answer === 'function' ? answer() : answer
  }
  return asked
}

test('a template begins as a draft, and reads back as written', async () => {
  const { api } = await posthorn.team()
  const { id, ...made } = await ok(api.post('/v1/whatsapp/templates', { name: 'a_1', body: '{{2}} {{1}} {{2}}' }))
  const at = posthorn.clock.now().toISOString()
  assert.deepEqual(made, {
    ...{ name: 'a_1', language: 'en', category: 'utility', status: 'draft', body: '{{2}} {{1}} {{2}}' },
    ...{ variableCount: 2, components: null, providerRef: null, rejectionReason: null, createdAt: at, updatedAt: at },
  })
  posthorn.clock.advance(1000)
  const components = { footer: { type: 'FOOTER', text: 'The Shop' } }
  const change = { body: 'Hello', category: 'marketing', language: 'pt-BR', components }
  const changed = await ok(api.patch(`/v1/whatsapp/templates/${id}`, change))
  assert.deepEqual(changed, {
    ...{ id, ...made, ...change, variableCount: 0, updatedAt: posthorn.clock.now().toISOString() },
  })
  const second = await ok(api.post('/v1/whatsapp/templates', { name: 'b', body: 'x', category: 'authentication' }))
  assert.deepEqual((await ok(api.get('/v1/whatsapp/templates'))).data, [second, changed])
  assert.equal((await ok(api.patch(`/v1/whatsapp/templates/${id}`, { components: null }))).components, null)
})

test('an invalid value is refused, naming the field', async () => {
  const { api } = await posthorn.team()
  const refused: [object, string][] = [
    [{ body: 'x' }, 'name'],
    [{ name: 'x' }, 'body'],
    ...['Welcome', 'a b', 'a-b', 'ü', ''].map((name): [object, string] => [{ name, body: 'x' }, 'name']),
    ...['', '{{name}}', '{{2}}', 'x'.repeat(4097)].map((body): [object, string] => [{ name: 'x', body }, 'body']),
    ...['en_US', 'e', 'not a language', ''].map((language): [object, string] => {
      return [{ name: 'x', body: 'x', language }, 'language']
    }),
    [{ name: 'x', body: 'x', category: 'news' }, 'category'],
    [{ name: 'x', body: 'x', components: [] }, 'components'],
    [{ name: 'x', body: 'x', components: { a: 'x'.repeat(65_536) } }, 'components'],
    [{ name: 'x', body: 'x', status: 'approved' }, 'status'],
  ]
  for (const [body, field] of refused) {
    const answer = await api.post('/v1/whatsapp/templates', body)
    assert.deepEqual([answer.status, answer.body.errors?.[0].path], [400, field], JSON.stringify(body).slice(0, 200))
  }
  const { id } = await ok(api.post('/v1/whatsapp/templates', { name: 'x', body: 'x' }))
  for (const body of [{}, { name: 'y' }, { body: '{{a}}' }, { language: 'en_US' }, { category: null }]) {
    assert.equal((await api.patch(`/v1/whatsapp/templates/${id}`, body)).status, 400, JSON.stringify(body))
  }
})

test('a name is unique in each language', async () => {
  const { api } = await posthorn.team()
  const { id } = await ok(api.post('/v1/whatsapp/templates', { name: 'x', body: 'x' }))
  await ok(api.post('/v1/whatsapp/templates', { name: 'x', body: 'x', language: 'de' }))
  for (const language of ['de', 'DE', 'en']) {
    const twice = await api.post('/v1/whatsapp/templates', { name: 'x', body: 'x', language })
    assert.deepEqual([twice.status, twice.body.name], [409, 'conflict'])
  }
  assert.equal((await api.patch(`/v1/whatsapp/templates/${id}`, { language: 'de' })).status, 409)
  assert.equal((await api.patch(`/v1/whatsapp/templates/${id}`, { language: 'en' })).status, 200)
  const { api: other } = await posthorn.team()
  await ok(other.post('/v1/whatsapp/templates', { name: 'x', body: 'x' }))
})

test('a template can be edited and submitted only as a draft or rejected, and stays rejected until it is submitted', async () => {
  submitAs({ kind: 'submitted', providerRef: 'ref' })
  const shop = await openShop(posthorn)
  for (const status of statuses) {
    const { api, path, setStatus, submit, read } = await makeTemplate(shop, { name: `edit_${status}` })
    await setStatus(status)
    const isOpen = status === 'draft' || status === 'rejected'
    const edited = await api.patch(path, { body: 'Changed' })
    assert.equal(edited.status, isOpen ? 200 : 409, status)
    assert.equal((await read()).status, status)
    const submitted = await submit()
    assert.equal(submitted.status, isOpen ? 200 : 409, status)
    if (!isOpen) assert.deepEqual([edited.body.name, submitted.body.name], ['conflict', 'conflict'])
    const after = await read()
    assert.equal(after.status, isOpen ? 'submitted' : status)
    if (isOpen) assert.deepEqual(after, submitted.body)
  }
})

test('reviews move a template only as specified', async () => {
  const shop = await openShop(posthorn)
  const moves: Record<string, string[]> = {
    submitted: ['approved', 'rejected', 'disabled'],
    approved: ['disabled'],
    disabled: ['approved'],
  }
  for (const before of statuses) {
    for (const verdict of ['approved', 'rejected', 'disabled']) {
      const { setStatus, review, read } = await makeTemplate(shop, { name: `${before}_${verdict}` })
      await setStatus(before)
      const { received, processed, duplicates, ignored } = await review(verdict, { reason: 'Because' })
      const isMove = moves[before]?.includes(verdict) ?? false
      const isSame = before === verdict
      assert.deepEqual(
        [received, processed, duplicates, ignored],
        [1, Number(isMove), Number(isSame), Number(!isMove && !isSame)],
        `${before} ${verdict}`,
      )
      const { status, rejectionReason } = await read()
      assert.equal(status, isMove ? verdict : before)
      assert.equal(rejectionReason, isMove && verdict !== 'approved' ? 'Because' : null)
    }
  }
})

test('a review is found by account, name and language, in either spelling of the language', async () => {
  submitAs({ kind: 'submitted', providerRef: null })
  const shop = await openShop(posthorn)
  const other = await openShop(posthorn)
  const [ours, theirs] = [
    await makeTemplate(shop, { language: 'pt-BR' }),
    await makeTemplate(other, { language: 'pt-BR' }),
  ]
  await ours.submit()
  await theirs.submit()
  for (const wrong of [{ wabaId: 'nobodys' }, { templateName: 'other' }, { language: 'pt' }]) {
    assert.equal((await ours.review('approved', wrong)).ignored, 1)
  }
  assert.equal((await ours.review('approved', { language: 'pt_br' })).processed, 1)
  assert.deepEqual([(await ours.read()).status, (await theirs.read()).status], ['approved', 'submitted'])
})

test('the provider receives all it needs, and its refusal rejects the template', async () => {
  const asked = submitAs({ kind: 'refused', message: 'The body may not begin with a variable' })
  const shop = await openShop(posthorn)
  const components = { footer: { type: 'FOOTER', text: 'x' } }
  const { made, submit, read } = await makeTemplate(shop, { components })
  const rejected = await ok(submit())
  assert.deepEqual([rejected.status, rejected.rejectionReason], ['rejected', 'The body may not begin with a variable'])
  const { id: templateId, name, language, category, body, variableCount } = made
  const template = { name, language, category, body, variableCount, components, wasHandedIn: false }
  assert.deepEqual(asked, [{ teamId: shop.team.id, templateId, wabaId: shop.wabaId, ...template, providerRef: null }])
  const again = submitAs({ kind: 'submitted', providerRef: 'ref-1' })
  const submitted = await ok(submit())
  assert.deepEqual([submitted.status, submitted.rejectionReason, submitted.providerRef], ['submitted', null, 'ref-1'])
  assert.equal(again.length, 1)
  assert.deepEqual(await read(), submitted)
})

test('a template does not change if the provider is out of reach, and can be submitted again at once', async () => {
  const shop = await openShop(posthorn)
  const { submit, read } = await makeTemplate(shop)
  submitAs({ kind: 'unavailable', message: 'connect ECONNREFUSED.' })
  const failed = await submit()
  assert.deepEqual([failed.status, failed.body.name], [502, 'provider_error'])
  assert.equal((await read()).status, 'draft')
  submitAs({ kind: 'submitted', providerRef: null })
  await ok(submit())
})

test('a template that is being submitted can be neither edited nor submitted; another process ends the submission of one that died', async () => {
  const shop = await openShop(posthorn)
  const { api, path, submit, read } = await makeTemplate(shop)
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<WhatsappSubmissionAnswer>()]
  submitAs(() => {
    asked.resolve()
    return answered.promise
  })
  const first = submit()
  await asked.promise
  assert.deepEqual([(await submit()).status, (await api.patch(path, { body: 'x' })).status], [409, 409])
  const repeated = submitAs({ kind: 'submitted', providerRef: 'second' })
  posthorn.clock.advance(posthorn.app.jobs.leaseMs)
  await (await posthorn.another()).app.jobs.runDue()
  const { status, providerRef } = await read()
  assert.deepEqual([status, providerRef], ['submitted', 'second'])
  // The process that died may have submitted it, so a template of this name in the account is ours.
  assert.deepEqual(pluck(repeated, 'wasHandedIn'), [true])
  answered.resolve({ kind: 'refused', message: 'There is one already' })
  assert.equal((await ok(first)).status, 'submitted')
})

test('a verdict that comes before the answer to the submission is not lost', async () => {
  const shop = await openShop(posthorn)
  const { submit, review, read } = await makeTemplate(shop)
  submitAs(async () => {
    assert.equal((await review('approved')).processed, 1)
    return { kind: 'submitted', providerRef: 'ref-9' }
  })
  const submitted = await ok(submit())
  assert.deepEqual([submitted.status, submitted.providerRef], ['approved', 'ref-9'])
  assert.equal((await read()).status, 'approved')
})

test("another team's template is answered as one that does not exist", async () => {
  const { made, path } = await makeTemplate(await openShop(posthorn))
  const { api } = await posthorn.team()
  assert.deepEqual((await api.get(path)).body, (await api.get(`/v1/whatsapp/templates/${unknownId}`)).body)
  for (const answer of [
    await api.get(path),
    await api.patch(path, { body: 'Mine' }),
    await api.post(`${path}/submit`),
    await api.delete(path),
  ]) {
    assert.equal(answer.status, 404)
  }
  assert.deepEqual((await ok(api.get('/v1/whatsapp/templates'))).data, [])
  assert.equal(made.status, 'draft')
})
