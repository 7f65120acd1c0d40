import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/growth.ts'
import { slowTest } from '../../../test/slow.ts'
import { addFooters } from './render.ts'
import { textFromHtml } from './text-from-html.ts'

test('blocks become lines, several blanks become one, and entities become characters', () => {
  const html = `<html><head><title>No</title><style>p { color: red }</style></head><body>
    <h1>Caf&eacute; &amp; bar</h1><p>One
    <b>two</b>&nbsp; three</p><div>a</div><div>b<br>c</div><script>alert(1)</script><!-- no --></body></html>`
  assert.equal(textFromHtml(html), 'Café & bar\n\nOne two three\n\na\nb\nc')
})

test('links show their address, unless their text is the address', () => {
  const html = `<p><a href="https://shop.test/?a=1&amp;b=2">Shop</a> <a href='https://shop.test'>https://shop.test</a>
    <a href="mailto:a@b.co?subject=x">write</a> <a href="#top">up</a> <a href="javascript:x()">x</a>
    <a href="{{unsubscribeUrl}}">leave</a></p>`
  assert.equal(
    textFromHtml(html),
    'Shop (https://shop.test/?a=1&b=2) https://shop.test write (a@b.co) up x leave ({{unsubscribeUrl}})',
  )
})

test('lists keep their marks, tables become a line for each row, and images their alternative text', () => {
  const html = `<ul><li>a<li>b<ol><li>c</li><li>d</li></ol></ul>
    <table><tr><td>1</td><td>2</td></tr><tr><th>3</th></tr></table><img alt="A cat" src="x"><hr><pre>x</pre>`
  assert.equal(textFromHtml(html), '- a\n- b\n  1. c\n  2. d\n\n1 2\n3\n\nA cat\n\n-----\n\nx')
})

test('broken HTML still gives its text, and empty HTML gives none', () => {
  assert.equal(textFromHtml('a < b <p>c</div></td><a href="https://x.test">d'), 'a < b\n\nc\nd (https://x.test)')
  assert.equal(textFromHtml('<head><style>x</style><body>shown'), 'shown')
  assert.equal(textFromHtml('<svg><text>x</text></svg><p hidden> </p>'), null)
})

slowTest('the time is linear in the length of hostile HTML', () => {
  for (const unit of [
    '<',
    '<p>',
    '<ul><li>',
    '<a href="https://x.test">',
    '<table><tr><td>',
    '&',
    '&amp;',
    '</a>',
    ' \n',
    '<svg>',
    '<pre>x',
    '<!--',
    '<br>',
  ]) {
    assertLinear(unit, (length) => void textFromHtml(unit.repeat(length / unit.length)), 1024 * 1024)
  }
})

test('a footer is added at the end of each body that does not name the link', () => {
  const both = addFooters({ html: '<html><body><p>x</p></body></html>', text: 'x' })
  assert.match(both.html!, /<p>x<\/p><p [^>]*><a href="\{\{unsubscribeUrl\}\}">Unsubscribe<\/a><\/p><\/body>/)
  assert.equal(both.text, 'x\n\n-- \nUnsubscribe: {{unsubscribeUrl}}\n')
  const own = { html: '<a href="{{ unsubscribeUrl }}">x</a>', text: '{{unsubscribeUrl}}' }
  assert.deepEqual(addFooters(own), own)
  assert.deepEqual(addFooters({ html: null, text: 'a' }).html, null)
  assert.match(addFooters({ html: '<p>x</p><!-- never closed', text: null }).html!, /^<p [^>]*><a href/)
  assert.match(addFooters({ html: null, text: null }).text!, /^Unsubscribe: /)
})
