import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { anyCharacter } from '../../../../test/any-text.ts'
import { forAll } from '../../../../test/for-all.ts'
import { propertyTest, slowTest } from '../../../../test/slow.ts'
import { linksMax, rewriteLinks, trackableUrl } from './rewrite-links.ts'

const pixel = '<img src="https://t.test/pixel" alt="">'
const marker = /^https:\/\/t\.test\/(\d+)\.$/

/** Replaces each link by a numbered one. `urls` has their targets, `written` the replaced text. */
function rewrite(html: string, append: string | null = null) {
  const urls: string[] = []
  const written: string[] = []
  const result = rewriteLinks(html, {
    replace({ href, start, end }) {
      const url = trackableUrl(href)
      if (url === null) return null
      written.push(html.slice(start, end))
      return `https://t.test/${urls.push(url) - 1}.`
    },
    append,
  })
  return { result, urls, written }
}

/** Returns the links and images of the tree that a browser builds, in order. */
function elementsOf(html: string): { name: string; href: string | null; src: string | null }[] {
  const found: ReturnType<typeof elementsOf> = []
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if ('attrs' in node && ['a', 'area', 'img'].includes(node.tagName)) {
      const value = (name: string) => node.attrs.find((attribute) => attribute.name === name)?.value ?? null
      found.push({ name: node.tagName, href: value('href'), src: value('src') })
    }
    if ('content' in node) visit(node.content)
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(html, { scriptingEnabled: false }))
  return found
}

const blanks = fc.constantFrom('', ' ', '\n', '\r\n\t')
const url = fc
  .tuple(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom('', '?a=1&b=2', '&lt=x&amp;y', '?q=ü ✓', "'"),
  )
  .map(([base, rest]) => base + rest)
const reference = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replaceAll('&', '&amp;'),
  (text: string) => text.replaceAll('/', '&#x2F;').replaceAll(':', '&colon;'),
)
const value = fc.tuple(url, reference, blanks, fc.nat(2)).map(([text, encode, blank, quote]) => {
  const encoded = encode(text)
  if (quote === 0) return `"${blank}${encoded.replaceAll('"', '&quot;')}${blank}"`
  if (quote === 1) return `'${encoded.replaceAll("'", '&#39;')}${blank}'`
  return encoded.replace(/[\s"'=<>`]/g, '')
})
const link = fc
  .tuple(
    fc.constantFrom('a', 'A', 'area'),
    fc.constantFrom('href', 'HREF', 'hRef'),
    blanks,
    value,
    fc.constantFrom('', ' title=x', ' href="https://second.example/"'),
  )
  .map(([tag, name, blank, written, more]) => `<${tag} ${name}${blank}=${blank}${written}${more}>`)
const noise = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      "'",
      '=',
      '&',
      '/',
      '\r\n',
      '\r',
      '\uFEFF',
      '😀',
      '\uD83D',
      '<!--',
      '-->',
      '<!--[if mso]>',
      '<![endif]-->',
    ],
    ...[
      '<![if !mso]>',
      '<!doctype html>',
      '<html>',
      '<head>',
      '<body>',
      '</body>',
      '</html>',
      '<p>',
      '</p>',
      '<b x=1>',
      '</b>',
    ],
    ...[
      '<script>',
      '</script>',
      '<style>',
      '</style>',
      '<title>',
      '</title>',
      '<textarea>',
      '</textarea>',
      '<noscript>',
      '</noscript>',
    ],
    ...[
      '<table>',
      '<td>',
      '</table>',
      '</a>',
      '<a href>',
      '<a href=',
      '<a href="',
      '<a name=x>',
      '<template>',
      '</template>',
      '<iframe>',
      '</iframe>',
    ],
  ),
)
const html = fc.array(fc.oneof(link, noise), { maxLength: 30 }).map((parts) => parts.join(''))

slowTest('only addresses change in any HTML, and each keeps its target', () => {
  let rewritten = 0
  forAll({ always: 2000 }, html, (source) => {
    const { result, urls, written } = rewrite(source)
    assert.equal(
      result.replaceAll(/https:\/\/t\.test\/(\d+)\./g, (_, index) => written[Number(index)]!),
      source,
    )
    const [before, after] = [elementsOf(source), elementsOf(result)]
    assert.equal(after.length, before.length)
    for (const [index, { href }] of after.entries()) {
      const number = marker.exec(href ?? '')?.[1]
      const original = before[index]!.href
      if (number === undefined) {
        assert.equal(href, original)
        assert.equal(trackableUrl(original ?? ''), null)
        continue
      }
      assert.equal(urls[Number(number)], new URL(original!).href)
      rewritten++
    }
  })
  assert.ok(rewritten > 1000)
})

propertyTest('the image is an element of the body, or is left out', () => {
  let shown = 0
  forAll({ always: 1000 }, html, (source) => {
    const { result } = rewrite(source, pixel)
    assert.equal(result.replace(pixel, ''), rewrite(source).result)
    const images = elementsOf(result).filter(({ src }) => src === 'https://t.test/pixel')
    assert.equal(images.length, result.includes(pixel) ? 1 : 0)
    if (images.length === 1) shown++
  })
  assert.ok(shown > 300)
})

const places = {
  'at the end of a fragment': ['<p>x</p>', `<p>x</p>${pixel}`],
  'before the end of the body': ['<body>x</body></html>', `<body>x${pixel}</body></html>`],
  'before the end of the last of several bodies': ['<body>x</body>y</BODY >', `<body>x</body>y${pixel}</BODY >`],
  'not at the end of a body in a comment': ['<!-- </body> --><p>', `<!-- </body> --><p>${pixel}`],
  'not at the end of a body in a conditional comment': [
    '<!--[if mso]></body><![endif]-->x',
    `<!--[if mso]></body><![endif]-->x${pixel}`,
  ],
  'not at the end of a body in a script': ['<script>"</body>"</script>', `<script>"</body>"</script>${pixel}`],
  'left out in a comment without an end': ['<p>x<!-- ', '<p>x<!-- '],
  'left out in a script without an end': ['<script>x', '<script>x'],
  'left out in a tag without an end': ['<p>x<a href="', '<p>x<a href="'],
}

for (const [name, [before, after]] of Object.entries(places)) {
  test(`the image is ${name}`, () => assert.equal(rewrite(before!, pixel).result, after))
}

test('CDATA sections and self-closing elements are recognised in drawings', () => {
  const drawings = [
    '<svg><title/></svg><a href="https://shop.example/">x</a>',
    '<svg><style/><![CDATA[<a href="https://no.example/">]]></svg><a href="https://shop.example/">x</a>',
    '<svg/><title></title><a href="https://shop.example/">x</a>',
  ]
  for (const source of drawings) assert.deepEqual(rewrite(source).urls, ['https://shop.example/'], source)
})

test('quotes, blanks and the case of letters around an address stay', () => {
  const source = `<A id=x HREF = 'https://x.test/' ><area href="https://x.test/"><a href=https://x.test/ >`
  assert.equal(
    rewrite(source).result,
    `<A id=x HREF = 'https://t.test/0.' ><area href="https://t.test/1."><a href=https://t.test/2. >`,
  )
})

test('a new address is escaped for any quotes around the old one', () => {
  const odd = `https://t.test/"'&amp\`x`
  for (const source of ['<a href="https://x.test">', "<a href='https://x.test'>", '<a href=https://x.test>']) {
    const result = rewriteLinks(source, { replace: () => odd, append: null })
    assert.deepEqual(elementsOf(result), [{ name: 'a', href: odd, src: null }])
  }
})

test('links beyond the limit stay unchanged', () => {
  const { result, urls } = rewrite('<a href="https://x.test">'.repeat(linksMax + 5))
  assert.equal(urls.length, linksMax)
  assert.ok(result.endsWith('<a href="https://x.test">'.repeat(5)))
})

const pages = {
  'https://shop.example/': 'https://shop.example/',
  ' \n https://shop.example/ \t': 'https://shop.example/',
  'https://shop.ex\r\n\tample/a': 'https://shop.example/a',
  'HTTP://Shop.Example:80/A': 'http://shop.example/A',
  'https://bücher.example/ü?ü#ü': 'https://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC',
  'https://user:pass@shop.example/': 'https://user:pass@shop.example/',
}

for (const [href, url] of Object.entries(pages)) {
  test(`${JSON.stringify(href)} leads to ${url}`, () => assert.equal(trackableUrl(href), url))
}

const others = ['', 'shop.example', '//shop.example/', 'https://', 'https://a b/', 'data:,https://x', 'https://x/{{y}}']

for (const href of others) {
  test(`${JSON.stringify(href)} is left unchanged`, () => assert.equal(trackableUrl(href), null))
}
