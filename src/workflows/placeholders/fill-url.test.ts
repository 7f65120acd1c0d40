import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/any-text.ts'
import { forAll } from '../../../test/for-all.ts'
import { propertyTest } from '../../../test/slow.ts'
import type { Context } from '../nodes/node.ts'
import { fillUrl } from './fill-url.ts'

const contextOf = (x: unknown, y: unknown = ''): Context => ({ trigger: { x, y }, vars: {} })
const fill = (template: string, x: unknown, y?: unknown) => fillUrl('url', template, contextOf(x, y))

test('values in path, query and fragment are percent-encoded', () => {
  const nasty = 'a/b\\c?d#e&f=g%h+i j\r\nk☃'
  const encoded = 'a%2Fb%5Cc%3Fd%23e%26f%3Dg%25h%2Bi%20j%0D%0Ak%E2%98%83'
  assert.equal(fill('https://a.test/o/{{trigger.x}}/items', nasty), `https://a.test/o/${encoded}/items`)
  assert.equal(fill('https://a.test/?q={{trigger.x}}&r=1', nasty), `https://a.test/?q=${encoded}&r=1`)
  assert.equal(fill('https://a.test?{{trigger.x}}=1', nasty), `https://a.test?${encoded}=1`)
  assert.equal(fill('https://a.test/#{{trigger.x}}', nasty), `https://a.test/#${encoded}`)
  assert.equal(fill('https://a.test/{{trigger.x}}', 7), 'https://a.test/7')
  assert.equal(fill('https://a.test/{{trigger.x}}', '\ud800'), 'https://a.test/%EF%BF%BD')
})

test('a value never goes up in the path', () => {
  for (const [template, x, y] of [
    ['https://a.test/o/{{trigger.x}}', '..'],
    ['https://a.test/o/{{trigger.x}}/items', '.'],
    ['https://a.test/o/{{trigger.x}}{{trigger.y}}', '.', '.'],
    ['https://a.test/o/.{{trigger.x}}', '.'],
    ['https://a.test/o/%2E{{trigger.x}}', '.'],
    ['https://a.test/o/.{{trigger.x}}./y', ''],
    ['https://a.test/o\\{{trigger.x}}\\y', '..'],
    ['https://a.test/o/\t{{trigger.x}}', '..'],
    ['https://a.test/o/{{trigger.x}} ', '..'],
    ['https://a.test/o/{{trigger.x}}?y', '..'],
    ['{{trigger.y}}/o/{{trigger.x}}', '..', 'https://a.test'],
  ] as const) {
    assert.throws(
      () => fill(template, x, y),
      { kind: 'invalid', message: /^url: a segment of the path became/ },
      template,
    )
  }
  assert.equal(fill('https://a.test/o/{{trigger.x}}', '...'), 'https://a.test/o/...')
  assert.equal(fill('https://a.test/o/{{trigger.x}}', '%2e%2e'), 'https://a.test/o/%252e%252e')
  assert.equal(fill('https://a.test/o/v{{trigger.x}}', '..'), 'https://a.test/o/v..')
  assert.equal(fill('https://a.test/a/../{{trigger.x}}', 'b'), 'https://a.test/a/../b')
  assert.equal(fill('https://a.test/?up={{trigger.x}}', '..'), 'https://a.test/?up=..')
})

test('a value in the host is a part of a name or a port, and cannot end the host', () => {
  assert.equal(fill('https://{{trigger.x}}/a', 'eu.example.com:8443'), 'https://eu.example.com:8443/a')
  assert.equal(fill('https://{{trigger.x}}.example.com/', 'bücher'), 'https://bücher.example.com/')
  for (const x of ['a.test/', 'a.test?', 'a.test#', 'a.test\\', 'user@a.test', 'a%2fb', 'a b', 'a\nb', 'a。b']) {
    assert.throws(() => fill('https://{{trigger.x}}.example.com/', x), { message: /^url: a value in the host/ }, x)
  }
})

test('a URL may be one placeholder, and values after the first part are encoded', () => {
  assert.equal(fill('{{trigger.x}}', 'https://a.test/b?c=d/e'), 'https://a.test/b?c=d/e')
  assert.equal(fill('{{trigger.x}}/o/{{trigger.y}}', 'https://a.test', 'a/b'), 'https://a.test/o/a%2Fb')
  assert.equal(fill('{{trigger.x}}{{trigger.y}}', 'https://a.test?q=', '&b=1'), 'https://a.test?q=%26b%3D1')
})

test('a placeholder without a value stays', () => {
  assert.equal(fill('https://a.test/{{trigger.z}}', 1), 'https://a.test/{{trigger.z}}')
})

test('a URL that would become too long is refused before it is built', () => {
  assert.throws(() => fill('https://a.test/{{trigger.x}}', 'x'.repeat(8192)), { message: /^url: must be at most 8192/ })
  assert.throws(() => fill(`https://a.test/${'{{trigger.x}}'.repeat(100)}`, 'x'.repeat(200)), { kind: 'invalid' })
})

propertyTest('any value changes only its own segment or parameter', () => {
  const value = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...'./\\?#&=%2e\r\n\t @:') }),
  )
  forAll({ always: 100 }, value, value, (x, y) => {
    let url: URL
    try {
      url = new URL(fill('https://a.test/o/{{trigger.x}}/items?q={{trigger.y}}&r=1', x, y))
    } catch (error) {
      assert.match((error as Error).message, /a segment of the path became/)
      return
    }
    assert.equal(url.host, 'a.test')
    const segments = url.pathname.split('/')
    assert.deepEqual([segments.length, segments[1], segments[3]], [4, 'o', 'items'])
    assert.equal(decodeURIComponent(segments[2]!), x.toWellFormed())
    assert.deepEqual(
      [...url.searchParams],
      [
        ['q', y.toWellFormed()],
        ['r', '1'],
      ],
    )
  })
})
