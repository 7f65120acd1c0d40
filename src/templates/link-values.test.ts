import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-text.ts'
import { createTestApp } from '../../test/app.ts'
import { forAll } from '../../test/for-all.ts'
import { assertLinear } from '../../test/growth.ts'
import { propertyTest, slowTest } from '../../test/slow.ts'
import { createAudience, runFor } from '../broadcasts/fixtures/audience.ts'
import { runChain } from '../workflows/fixtures/workflow.ts'
import { renderText } from './render.ts'

const variables = {
  email: 'ann+news@example.com',
  path: 'a b/c?d',
  url: 'https://shop.example/?a=1&b=2',
  base: 'https://shop.example',
  name: `O'Brien & "Co"`,
  ready: 'a-b_c.~%20',
  host: 'eu.shop.example:8443',
  phone: '+49 30',
  number: 7,
}
const html = (source: string) => renderText(source, variables, { escape: 'html' })
const text = (source: string) => renderText(source, variables, { escape: 'text' })

test('a value in a link of HTML cannot change what is around it', () => {
  const email = 'ann%2Bnews%40example.com'
  for (const [source, filled] of [
    ['<a href="https://x.test/u?email={{email}}&n={{name}}">', `?email=${email}&n=O%27Brien%20%26%20%22Co%22">`],
    [`<a href='https://x.test/{{path}}/x?p={{path}}#{{path}}'>`, `/a%20b/c%3Fd/x?p=a%20b%2Fc%3Fd#a%20b%2Fc%3Fd'>`],
    ['<a class="{{name}}" href = "/u?{{email}}={{ready}}">', `?${email}=a-b_c.~%20">`],
    ['<a href={{base}}/{{path}}?e={{email}}&n={{number}}>', `https://shop.example/a%20b/c%3Fd?e=${email}&n=7>`],
    ['<a href="{{url}}&e={{email}}">', `https://shop.example/?a=1&amp;b=2&e=${email}">`],
    ['<a href="https://x.test/?next={{url}}">', '?next=https%3A%2F%2Fshop.example%2F%3Fa%3D1%26b%3D2">'],
    ['<a href="https://x.test/?n={{nobody}}&e={{email}}">', `?n={{nobody}}&e=${email}">`],
    [
      '<a href="mailto:{{email}}?subject={{name}}">',
      'mailto:ann+news@example.com?subject=O%27Brien%20%26%20%22Co%22">',
    ],
    ['<a href="tel:{{phone}}">', 'tel:+49%2030">'],
    ['<img src="https://{{host}}/i?e={{email}}">', `https://eu.shop.example:8443/i?e=${email}">`],
    ['<td style="background:url(https://x.test/?e={{email}})">', `?e=${email})">`],
    ['<p>https://x.test/?e={{email}}</p>', `?e=${email}</p>`],
    ['<p>{{base}}/?e={{email}}</p>', `?e=${email}</p>`],
    ['<a href="https://x.test/&#39;{{path}}">', `/&#39;a%20b/c%3Fd">`],
  ] as const) {
    assert.ok(html(source).endsWith(filled), html(source))
  }
})

test('a value outside of links, or that starts one, stays whole', () => {
  assert.equal(
    html('<a href="{{url}}">{{email}}</a>'),
    '<a href="https://shop.example/?a=1&amp;b=2">ann+news@example.com</a>',
  )
  assert.equal(
    html('<p title="{{email}}">{{email}}{{path}}</p>'),
    '<p title="ann+news@example.com">ann+news@example.coma b/c?d</p>',
  )
  assert.equal(text('{{name}}: {{email}}? {{path}}#{{path}}'), `O'Brien & "Co": ann+news@example.com? a b/c?d#a b/c?d`)
  assert.equal(
    renderText('https://x.test/?e={{email}}', variables, { escape: 'none' }),
    'https://x.test/?e=ann+news@example.com',
  )
})

test('a value in a link of a text cannot change what is around it', () => {
  assert.equal(
    text('See (https://x.test/u?email={{email}}), {{name}}'),
    `See (https://x.test/u?email=ann%2Bnews%40example.com), O'Brien & "Co"`,
  )
  assert.equal(
    text('www.x.test/{{path}} {{url}}&e={{email}}'),
    'www.x.test/a%20b/c%3Fd https://shop.example/?a=1&b=2&e=ann%2Bnews%40example.com',
  )
})

propertyTest('a server reads any value back from a query, and from a path', () => {
  forAll(2000, fc.string({ unit: anyCharacter, maxLength: 20 }), fc.constantFrom('html', 'text'), (value, form) => {
    // Escapes stay, so that a value that is encoded already is not encoded again.
    fc.pre(!/^(?:[\w.~-]|%[\da-f]{2})*%/i.test(value))
    const link = 'https://x.test/a/{{v}}?b=1&v={{v}}&c=2#{{v}}'
    const filled = renderText(link, { v: value }, { escape: form })
    const url = new URL(filled)
    assert.deepEqual(
      [...url.searchParams],
      [
        ['b', '1'],
        ['v', value.toWellFormed()],
        ['c', '2'],
      ],
    )
    assert.equal(decodeURIComponent(url.hash.slice(1)), value.toWellFormed())
    assert.doesNotMatch(filled, /[\s"'<>()]/)
  })
})

slowTest('the time is linear in the length of hostile texts and values', () => {
  for (const unit of [
    'href=',
    'href="',
    'https://',
    'a',
    '<',
    '"',
    "'",
    'href = ',
    '{{v}}',
    '?{{v}}',
    'x://{{v}}',
    'href="{{v}}',
  ]) {
    const source = (length: number) => unit.repeat(length / unit.length)
    const render = (length: number) => void renderText(`${source(length)}{{v}}`, { v: 'x' }, { escape: 'html' })
    // A text may have 25,000 placeholders.
    assertLinear(unit, render, unit.includes('{{') ? 24_000 * unit.length : 256 * 1024)
  }
})

test('templates, broadcasts, workflows and previews fill links in the same way', async () => {
  const posthorn = await createTestApp()
  const team = await posthorn.team()
  const from = `hello@${team.domain}`
  const link = 'https://x.test/u?email='
  const bodiesOf = (placeholder: string) => ({
    html: `<a href="${link}{{${placeholder}}}">x</a>`,
    text: `${link}{{${placeholder}}} {{${placeholder}}}`,
  })
  const expected = [
    `<a href="${link}ann%2Bnews%40example.com">x</a>`,
    `${link}ann%2Bnews%40example.com ann+news@example.com`,
  ]
  const newest = async () => {
    const { data } = (await team.api.get('/v1/emails?limit=1')).body
    const { body } = await team.api.get(`/v1/emails/${data[0].id}`)
    return [body.html, body.text]
  }
  const email = { from, to: ['ann+news@example.com'], subject: 'x' }
  await team.api.post('/v1/emails', { ...email, ...bodiesOf('email'), templateVariables: { email: variables.email } })
  assert.deepEqual(await newest(), expected)

  const step = { type: 'send_email', config: { from, to: email.to[0], subject: 'x', ...bodiesOf('trigger.email') } }
  await runChain(posthorn, team, [step], { email: variables.email })
  assert.deepEqual(await newest(), expected)

  const config = { ...step.config, ...bodiesOf('email'), template_variables: { email: '{{trigger.email}}' } }
  await runChain(posthorn, team, [{ type: 'send_email', config }], { email: variables.email })
  assert.deepEqual(await newest(), expected)

  const preview = { kind: 'template', ...bodiesOf('email'), variables: { email: variables.email } }
  const { body: shown } = await team.api.post('/v1/previews', preview)
  assert.deepEqual([shown.html, shown.text], expected)

  const { segmentId } = await createAudience(posthorn, team, [{ email: variables.email }])
  const unsubscribe = { html: '<a href="{{unsubscribeUrl}}">y</a>', text: ' {{unsubscribeUrl}}' }
  const { html: one, text: two } = bodiesOf('email')
  const fields = {
    name: 'News',
    from,
    segmentId,
    subject: 'x',
    html: one + unsubscribe.html,
    text: two + unsubscribe.text,
  }
  const { body: broadcast } = await team.api.post('/v1/broadcasts', fields)
  await team.api.post(`/v1/broadcasts/${broadcast.id}/send`)
  await runFor(posthorn, 2)
  const [sentHtml, sentText] = await newest()
  assert.ok(sentHtml.startsWith(expected[0]) && sentText.startsWith(expected[1]), sentHtml)
  assert.match(sentHtml, /<a href="http:\/\/localhost:3000\/unsubscribe\?token=/)
})
