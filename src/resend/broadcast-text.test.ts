import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/growth.ts'
import { slowTest } from '../../test/slow.ts'
import { ourText, previewIn, theirText, withPreview } from './broadcast-text.ts'

test('a preview stands behind the tag of the body, or first where there is none', () => {
  const placed = (html: string) => withPreview(html, 'Soon').replace(/<div data-preview [^>]*>Soon<\/div>/, '[preview]')
  assert.equal(placed('<html><BODY class="x">Hi</BODY></html>'), '<html><BODY class="x">[preview]Hi</BODY></html>')
  assert.equal(placed('<p>Hi</p>'), '[preview]<p>Hi</p>')
  assert.equal(placed('Hi <body'), '[preview]Hi <body')
  assert.equal(placed('<body <body>Hi'), '<body <body>[preview]Hi')
})

slowTest('the HTML of a broadcast is read and written in time that is linear in its length', () => {
  const hostile = [
    '<body',
    '<body ',
    '<div data-preview style="display:none',
    '<div data-preview style="display:none">',
    '{{{a|',
  ]
  for (const part of hostile) {
    const work = (times: number) => {
      const html = part.repeat(times)
      assert.ok(withPreview(html, 'Soon').length > html.length)
      previewIn(html)
      theirText(ourText(html))
    }
    assertLinear(part, work, 20_000)
  }
})
