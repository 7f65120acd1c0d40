import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp({ DASHBOARD: 'on' })
const { anyone } = posthorn
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const bytesOf = async (url: string, headers: Record<string, string> = {}) =>
  posthorn.server.inject({ method: 'GET', url, headers })

test('the page loads its script and style by hashes, under the strict policy', async () => {
  const page = await anyone.get('/app')
  assert.equal(page.status, 200, page.text)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(page.headers['cache-control'], 'no-cache')
  assert.equal(page.headers['content-security-policy'], policy)
  assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(page.headers['referrer-policy'], 'same-origin')
  assert.equal(page.headers['cross-origin-resource-policy'], 'same-origin')
  assert.match(page.text, /^<!doctype html>\n<html lang="en">/)
  assert.match(page.text, /<title>Posthorn<\/title>/)
  assert.match(page.text, /<meta name="color-scheme" content="light dark">/)
  assert.match(page.text, /<script type="module" src="\/app\/assets\/[0-9a-f]{16}\.js" /)
  assert.match(page.text, /<link rel="stylesheet" href="\/app\/assets\/[0-9a-f]{16}\.css" /)
  const again = await anyone.get('/app', { 'if-none-match': page.headers.etag! })
  assert.deepEqual([again.status, again.text], [304, ''])
})

test('the page comes in the theme that the cookie names, and in no other value', async () => {
  const inTheme = (value: string) => anyone.get('/app/emails', { cookie: `posthorn_theme=${value}` })
  const light = await inTheme('light')
  assert.match(light.text, /<html lang="en" data-theme="light">/)
  assert.match(light.text, /<meta name="color-scheme" content="light">/)
  assert.match((await inTheme('dark')).text, /<html lang="en" data-theme="dark">/)
  for (const value of ['system', 'Light', '"><script>', 'light dark']) {
    const { text } = await inTheme(value)
    assert.match(text, /<html lang="en">/, value)
    assert.match(text, /<meta name="color-scheme" content="light dark">/, value)
  }
  assert.equal(light.headers.vary, 'Cookie')
  const other = { cookie: 'posthorn_theme=dark', 'if-none-match': light.headers.etag! }
  assert.equal((await anyone.get('/app/emails', other)).status, 200)
})

test('no file is asked for with the address of the page, which holds the token of a mailed link', async () => {
  const { text } = await anyone.get('/app/reset?token=secret')
  const files = text.match(/<[^>]*\/app\/assets\/[^>]*>/g) ?? []
  assert.ok(files.length > 3)
  for (const file of files) assert.match(file, / referrerpolicy="no-referrer"/, file)
})

test('a page names its own scripts too, so that they are fetched beside the first ones', async () => {
  const linkOf = async (path: string) => String((await anyone.get(path)).headers.link)
  const links = await linkOf('/app/workflows/01a206e8')
  const shape = /^<(\/app\/assets\/[0-9a-f]{16}\.js)>; rel=modulepreload; referrerpolicy=no-referrer$/
  for (const link of links.split(', ')) {
    const [, path = ''] = shape.exec(link) ?? []
    assert.equal((await bytesOf(path)).statusCode, 200, link)
  }
  assert.equal(await linkOf('/app/workflows/another/'), links)
  assert.notEqual(await linkOf('/app/workflows/credentials'), links)
})

test('files of the page are compressed, and kept by caches for ever', async () => {
  const [, path = ''] = /<script type="module" src="([^"]+)"/.exec((await anyone.get('/app')).text) ?? []
  const plain = await bytesOf(path)
  const gzipped = await bytesOf(path, { 'accept-encoding': 'gzip, deflate' })
  const brotli = await bytesOf(path, { 'accept-encoding': 'gzip, br' })
  assert.deepEqual(
    [plain, gzipped, brotli].map(({ statusCode, headers }) => [statusCode, headers['content-encoding']]),
    [
      [200, undefined],
      [200, 'gzip'],
      [200, 'br'],
    ],
  )
  assert.deepEqual(gunzipSync(gzipped.rawPayload), plain.rawPayload)
  for (const { headers } of [plain, gzipped, brotli]) {
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers.vary, 'Accept-Encoding')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)
  }
})

test('a path without a page is 404 with the same page', async () => {
  const page = await anyone.get('/app')
  for (const path of ['/app/no/such/page', '/app/assets/nothing.js']) {
    const missing = await anyone.get(path)
    assert.deepEqual([missing.status, missing.text], [404, page.text], path)
    assert.equal(missing.headers['content-security-policy'], policy)
  }
})

test('a browser at / is led to the dashboard, and a program is not', async () => {
  const browser = await anyone.get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  assert.deepEqual([browser.status, browser.headers.location], [302, '/app'])
  const program = await anyone.get('/', { accept: '*/*' })
  assert.deepEqual([program.status, program.body.name], [404, 'not_found'])
})

test('an installation without the dashboard has no pages', async () => {
  const without = await createTestApp({ DASHBOARD: 'off' })
  assert.equal((await without.anyone.get('/app')).status, 404)
  assert.equal((await without.anyone.get('/', { accept: 'text/html' })).status, 404)
})
