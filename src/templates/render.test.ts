import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/any-text.ts'
import { forAll } from '../../test/for-all.ts'
import { assertLinear } from '../../test/growth.ts'
import { propertyTest, slowTest } from '../../test/slow.ts'
import { renderSubject, renderText, type TemplateVariables } from './render.ts'

const plain = (source: string, variables: TemplateVariables) => renderText(source, variables, { escape: 'none' })
const html = (source: string, variables: TemplateVariables) => renderText(source, variables, { escape: 'html' })

test('a placeholder is replaced by its variable, with blanks inside the braces or without', () => {
  assert.equal(plain('Hi {{name}}, {{ name }} and {{\tname  }}!', { name: 'Ada' }), 'Hi Ada, Ada and Ada!')
})

test('names hold letters, digits, underscores, dots and hyphens, and are looked up whole', () => {
  const variables = { 'user.name': 'Ada', order_id: 7, 'a-b': true, '2': 'two', prénom: 'Zoë' }
  assert.equal(plain('{{user.name}} {{order_id}} {{a-b}} {{2}} {{prénom}}', variables), 'Ada 7 true two Zoë')
})

test('a placeholder without a variable stays as it is written', () => {
  for (const source of [
    '{{ other }}',
    '{{}}',
    '{{ }}',
    '{{a b}}',
    '{{name',
    '{name}',
    '{{na\nme}}',
    '{{ name }',
    '{{name!}}',
    '{{#if x}}',
  ]) {
    assert.equal(plain(source, { name: 'Ada' }), source)
  }
})

test('a property that every object inherits is not a variable', () => {
  const source = '{{constructor}} {{toString}} {{__proto__}} {{hasOwnProperty}}'
  assert.equal(plain(source, {}), source)
  assert.equal(plain('{{__proto__}}', JSON.parse('{"__proto__": "mine"}')), 'mine')
})

test('a value is never expanded again', () => {
  assert.equal(plain('{{a}}{{b}}', { a: '{{b}}', b: '{{a}}$&$1' }), '{{b}}{{a}}$&$1')
  assert.equal(plain('{{{{a}}}}', { a: 'b', b: 'x' }), '{b}')
})

test('the text behind a bar stands in for a variable that is not given', () => {
  assert.equal(plain('{{ a | there }} {{a|}} {{{a|x y}}}', {}), 'there  x y')
  assert.equal(plain('{{a|there}}{{b|there}}', { a: 'Ada', b: null }), 'Ada')
  assert.equal(plain('{{a|{{b}}}}', { b: 'x' }), '{{a|x}}')
})

test('triple braces give a value as it is, in HTML too', () => {
  const variables = { a: '<b>&</b>' }
  assert.equal(renderText('{{a}} {{{ a }}}', variables, { escape: 'html' }), '&lt;b&gt;&amp;&lt;/b&gt; <b>&</b>')
})

test('null and the empty text are rendered as nothing', () => {
  assert.equal(plain('[{{a}}{{b}}]', { a: null, b: '' }), '[]')
})

test('values are escaped for HTML, and the text around them is not', () => {
  const value = `<b a="1" c='2'>&amp;</b>`
  assert.equal(html('<i>{{v}}</i>', { v: value }), '<i>&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;</i>')
  assert.equal(plain('<i>{{v}}</i>', { v: value }), `<i>${value}</i>`)
})

test('a subject stays one line with any values', () => {
  assert.equal(renderSubject('Order {{a}}', { a: '1\r\nBcc: eve@example.com\n\n2' }), 'Order 1Bcc: eve@example.com2')
  assert.equal(renderSubject('<{{a}}>', { a: '&' }), '<&>')
})

propertyTest('text without placeholders is unchanged, and values replace exactly the placeholders', () => {
  const piece = fc.string({ unit: anyCharacter }).filter((text) => !/[{}]/.test(text))
  const value = fc.oneof(fc.string({ unit: anyCharacter }), fc.integer(), fc.boolean())
  forAll({ always: 100 }, fc.array(fc.tuple(piece, value)), piece, (parts, rest) => {
    const source = parts.map(([text], index) => `${text}{{ v${index} }}`).join('') + rest
    const variables = Object.fromEntries(parts.map(([, value], index) => [`v${index}`, value]))
    assert.equal(plain(source, variables), parts.map(([text, value]) => text + String(value)).join('') + rest)
    assert.equal(html(source, variables).includes('<') && !source.includes('<'), false)
  })
})

slowTest('the time is linear in the length of hostile text', () => {
  const lengthMax = 1024 * 1024
  const hostile = ['{', '{{', '{{a', '{{ ', '{{a ', '{{a}', '{{ a\t', '{{}}', '{{a-']
  const check = (name: string, write: (length: number) => string, max = lengthMax) =>
    assertLinear(name, (length) => void plain(write(length), { a: 'x' }), max)
  for (const unit of hostile) check(unit, (length) => unit.repeat(length / unit.length))
  for (const unit of ['a', ' ', '-', '{']) check(`{{${unit}`, (length) => `{{${unit.repeat(length)}`)
  const placeholder = '{{a.b}} '
  check(placeholder, (length) => placeholder.repeat(length / placeholder.length), 25_000 * placeholder.length)
  check('{{ a ', (length) => `{{${' '.repeat(length)}a${' '.repeat(length)}`)
})
