import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WhatsappTemplateSubmission } from '../../provider.ts'
import { type MetaOptions, metaProvider } from '../meta.ts'
import { accessToken, startMeta, wabaId } from './fixtures/meta.ts'

const meta = await startMeta()
const teamId = '01890a5d-ac96-774b-bcce-b302099a8057'

async function submit(more: Partial<WhatsappTemplateSubmission> = {}, options: Partial<MetaOptions> = {}) {
  const access = { accessToken, apiBase: meta.url, apiVersion: 'v23.0', registrationPin: null }
  const provider = metaProvider({ ...access, log: { warn: () => undefined }, ...options })
  const submission: WhatsappTemplateSubmission = {
    ...{ teamId, templateId: teamId, wabaId, name: 'order', language: 'en-US' },
    ...{ category: 'utility', body: 'Hello {{1}}, order {{2}}', variableCount: 2, components: null },
    ...{ providerRef: null, wasHandedIn: false },
    ...more,
  }
  const answer = await provider.submitTemplate(submission)
  await provider.close()
  return answer
}

test('a template is submitted with an example for each placeholder, and a rejected one is edited', async () => {
  const components = { footer: { text: 'Shop' }, header: { format: 'TEXT', text: 'News' }, buttons: [{ type: 'URL' }] }
  assert.deepEqual(await submit({ components }), { kind: 'submitted', providerRef: '900' })
  const [made] = meta.templates
  assert.deepEqual(
    [made?.name, made?.language, made?.category, made?.components],
    [
      'order',
      'en_US',
      'UTILITY',
      [
        { type: 'HEADER', format: 'TEXT', text: 'News' },
        { type: 'BODY', text: 'Hello {{1}}, order {{2}}', example: { body_text: [['example 1', 'example 2']] } },
        { type: 'FOOTER', text: 'Shop' },
        { type: 'BUTTONS', buttons: [{ type: 'URL' }] },
      ],
    ],
  )
  const answer = await submit({ body: 'Hello', variableCount: 0, providerRef: '900', wasHandedIn: true })
  assert.deepEqual(answer, { kind: 'submitted', providerRef: '900' })
  const edited = { id: '900', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hello' }] }
  assert.deepEqual(meta.edited.pop(), edited)
})

test('a template whose id is not known is edited if it has the same texts, in a category that Meta chose', async () => {
  meta.templates[0]!.category = 'MARKETING'
  const components = { footer: { text: 'Shop' }, header: { format: 'TEXT', text: 'News' } }
  assert.deepEqual(await submit({ components, wasHandedIn: true }), { kind: 'submitted', providerRef: '900' })
  assert.equal(meta.edited.pop()?.id, '900')
  for (const other of [{ body: 'Hello {{1}}' }, { components: null }, { category: 'authentication' as const }]) {
    const answer = await submit({ components, ...other, wasHandedIn: true })
    assert(answer.kind === 'refused')
    assert.match(answer.message, /with another text/)
  }
  assert.deepEqual(meta.edited, [])
})

test('a template that was created elsewhere is not changed', async () => {
  const answer = await submit()
  assert(answer.kind === 'refused')
  assert.match(answer.message, /has another template of that name/)
  assert.deepEqual(meta.edited, [])
})

test('a template of a one-time password has Meta’s text and a button', async () => {
  await submit({
    name: 'code',
    category: 'authentication',
    components: { body: { add_security_recommendation: true } },
  })
  assert.deepEqual(meta.templates.at(-1)?.components, [
    { type: 'BODY', add_security_recommendation: true },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ])
})

test('a submission is refused if Meta refuses it, and not if Meta cannot be reached', async () => {
  const refused = await submit({ wabaId: '3' })
  assert.equal(refused.kind, 'refused')
  assert.equal((await submit({}, { accessToken: 'x' })).kind, 'unavailable')
  assert.equal((await submit({}, { apiBase: 'http://nowhere.invalid' })).kind, 'unavailable')
})
