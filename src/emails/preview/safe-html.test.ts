import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import { shownElements } from './allowed.ts'
import { safeHtml, shownMax } from './safe-html.ts'

const show = (html: string, { remote = false } = {}) =>
  safeHtml(html, {
    remote,
    inlineImage: (contentId) => (contentId === 'logo' ? 'data:image/png;base64,AA==' : null),
    untracked: (url) => url,
  })

type Element = { name: string; attributes: Record<string, string> }

/** Returns the elements of the tree that a browser builds without scripts. */
function elementsOf(html: string): Element[] {
  const found: Element[] = []
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html, { scriptingEnabled: false })]
  for (let node = open.pop(); node; node = open.pop()) {
    if ('attrs' in node)
      found.push({
        name: node.tagName,
        attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
      })
    if ('childNodes' in node) open.push(...node.childNodes)
  }
  return found
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style></style ><script>alert(1)</script>',
  '<style><!--</style><script>alert(1)</script>--></style>',
  '<textarea></textarea ><iframe srcdoc="<script>alert(1)</script>">',
  '<title><script>alert(1)</script>',
  '<plaintext><script>alert(1)</script>',
  '<xmp><script>alert(1)</script></xmp>',
  '<iframe src="javascript:alert(1)"></iframe><frame src=x><object data=x><embed src=x><portal src=x>',
  '<base href="https://evil.test/"><link rel=stylesheet href="https://evil.test/a.css">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
  '<form action="https://evil.test/"><input name=a><button formaction=x>Go</button></form>',
  '<a href="javascript:alert(1)">x</a><a href=" java\nscript:alert(1)">x</a><a href="data:text/html,x">x</a>',
  '<a href="vbscript:x">x</a><area href="javascript:alert(1)"><a xlink:href="javascript:alert(1)" ping="https://evil.test">x</a>',
  '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>',
  '<video src="https://evil.test/a" poster="https://evil.test/b" autoplay></video><audio src=x>',
  '<template><script>alert(1)</script></template><x-y is=z>',
  '<div style="background:url(https://evil.test/a)"><p style="list-style:url(\'http://evil.test/b\')">',
  '<style>@import "https://evil.test/a.css"; p{background:url(//evil.test/c)} </style>',
  '<style>@\\69mport "https://evil.test/a"; p{background:u\\72l(https://evil.test/b)} b{src:url("https://evil.test/a(b)")}</style>',
  '<style>i{background:image-set("https:evil.test/a" 1x)} s{background:U\\000052L(\\2f /evil.test)}</style>',
  `<style>b{background:url(https://evil.test/${'a'.repeat(3000)})} "\ri{x:url(\\\\\\\\evil.test/c)}</style>`,
  '<p style="background:url(&quot;ht\\74ps://evil.test/a&quot;)"><p style=\'--x:"//evil.test\'>',
  '<table background="https://evil.test/x"><img srcset="https://evil.test/x 2x" src="http://evil.test/y">',
  '<![CDATA[<script>alert(1)</script>]]><?php <script>?><!--[if mso]><script>alert(1)</script><![endif]-->',
]

const schemes = /^(#|https?:|mailto:|tel:|sms:|data:image\/)/

function assertHarmless(html: string, shown: string): void {
  for (const { name, attributes } of elementsOf(shown)) {
    assert.ok(shownElements.has(name) || name === 'meta', `<${name}> of ${html}`)
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.doesNotMatch(attribute, /^on|srcdoc|^action|xlink|ping/, html)
      if (['href', 'src', 'background'].includes(attribute)) assert.match(value, schemes, html)
      if (name === 'meta') assert.match(`${attribute}=${value}`, /^(charset=utf-8|name=referrer|content=no-referrer)$/)
    }
  }
}

test('hostile elements, attributes and addresses are left out', () => {
  for (const html of hostile) {
    const shown = show(html)
    assertHarmless(html, shown)
    assert.doesNotMatch(shown, /evil\.test/, html)
  }
})

propertyTest('no mixture of hostile pieces makes more than text, styles, links and images', () => {
  const piece = fc.oneof(
    fc.constantFrom(...hostile, '<svg>', '</svg>', '<math>', '<style>', '</style>', '<textarea>', '<![CDATA[', ']]>'),
    fc.constantFrom('<!--', '-->', '"', "'", '>', '<', '</', '&lt;script&gt;', '<table>', '<p>', '</p>', '<select>'),
    fc.string(),
  )
  forAll({ always: 300 }, fc.array(piece, { maxLength: 12 }), (pieces) => {
    const html = pieces.join('')
    assertHarmless(html, show(html))
    assertHarmless(html, show(html, { remote: true }))
  })
})

test('texts, styles, tables, links and inline images stay', () => {
  const shown = show(
    '<html lang=en><body bgcolor="#fff"><style media=print>p > b { color: red }</style><table width=100%><tr><td>A &amp; <b>B</b>' +
      '<a href="https://shop.test/?a=1&amp;b=2">x</a><a href="#top">top</a><img src="cid:logo" alt="Logo"></table>',
  )
  const pieces = ['<style media="print">p > b { color: red }</style>', 'A &amp; <b>B</b>', '<body bgcolor="#fff">']
  pieces.push('<a href="https://shop.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">', '<a href="#top">')
  pieces.push('<img src="data:image/png;base64,AA==" alt="Logo">')
  for (const piece of pieces) assert.ok(shown.includes(piece), `${piece} in ${shown}`)
})

test('a dropped comment or import does not join the parts of a name', () => {
  for (const between of ['/**/', '<!--', '@import x;']) {
    assert.doesNotMatch(show(`<style>p { background: u${between}rl(https://a.test/x) }</style>`), /url\(/)
  }
})

test('remote images stay only where they are asked for', () => {
  const html = '<img src="https://a.test/x.png"><p style="background:url(https://a.test/y.png)">'
  assert.doesNotMatch(show(html), /a\.test/)
  const shown = show(html, { remote: true })
  assert.ok(shown.includes('src="https://a.test/x.png"') && shown.includes('url(https://a.test/y.png)'), shown)
})

test('a long or deep document is cut and says so', () => {
  const long = show(`<p>${'x'.repeat(2 * shownMax)}`)
  assert.ok(long.length < shownMax + 1000 && long.endsWith('too long to be shown.</p>'))
  const deep = show('<div>'.repeat(shownMax / 5))
  assert.ok(deep.match(/<div>/g)!.length <= 50_000)
})
