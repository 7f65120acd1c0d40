import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { eventually } from './eventually.ts'
import { openDashboard } from './open.ts'

const posthorn = await openDashboard()

/** Whatever a mail makes a browser fetch arrives here. */
const fetched: string[] = []
const elsewhere = createServer((request, answer) => {
  fetched.push(request.url ?? '')
  answer.end()
}).listen(0, '127.0.0.1')
await once(elsewhere, 'listening')
after(() => elsewhere.close())
const there = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`

/** Each form has a path of its own, so that a failure names it. */
function hostileHtml(at: string): string {
  const run = `parent.document.title='taken';fetch('${at}/ran')`
  return `<!doctype html><html><head><base href="${at}/base/">
    <meta http-equiv="refresh" content="0;url=${at}/refresh">
    <link rel="stylesheet" href="${at}/sheet"><link rel="preload" as="image" href="${at}/preload">
    <link rel="prefetch" href="${at}/prefetch"><link rel="dns-prefetch" href="${at}"><link rel="icon" href="${at}/icon">
    <style>@import "${at}/import"; @\\69mport "${at}/escaped-import"; p { background: url(${at}/url) }
      b { background: u\\72l(${at}/escaped-url) } i { background: image-set("${at}/image-set" 1x) }
      u { background: url("${at}/a(b)") } a[href^=h] { background: url(${at}/selector) }
      @font-face { font-family: far; src: url(${at}/font) } s { font-family: far }</style>
    <script>${run}</script></head><body onload="${run}">
    <p style="background:url(${at}/inline)">Read me</p><b>b</b><i>i</i><u>u</u><s>s</s>
    <a href="javascript:${run}">one</a><a href="data:text/html,<script>${run}</script>">two</a><a href="vbscript:x">three</a>
    <a href="${at}/link" ping="${at}/ping">four</a>
    <img src="${at}/image" srcset="${at}/srcset 2x" onerror="${run}"><img src=x onerror="${run}">
    <picture><source srcset="${at}/source"><img src="${at}/picture"></picture>
    <iframe src="${at}/frame"></iframe><iframe srcdoc="<script>${run}</script>"></iframe>
    <object data="${at}/object"></object><embed src="${at}/embed"><applet code="${at}/applet"></applet>
    <video src="${at}/video" poster="${at}/poster" autoplay></video><audio src="${at}/audio" autoplay></audio>
    <form action="${at}/form"><input autofocus onfocus="${run}"><input type="image" src="${at}/button"></form>
    <svg onload="${run}"><script>${run}</script><image href="${at}/svg-image"/><use href="${at}/use#x"/>
      <foreignObject><iframe src="${at}/foreign"></iframe></foreignObject><animate onbegin="${run}" attributeName="x"/></svg>
    <math><mtext><style><img src=x onerror="${run}"></style></mtext></math><table background="${at}/table"><td>x</td></table>
    </body></html>`
}

async function receive(subject: string, html: string): Promise<string> {
  const sent = await posthorn.api('POST', '/v1/emails', {
    from: 'Shop <hello@sandbox.test>',
    to: ['ada@example.com'],
    subject,
    html,
  })
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
  const { body } = await posthorn.api('GET', `/v1/inbox?search=${encodeURIComponent(subject)}`)
  return body.data[0].id
}

test('hostile mail runs nothing and fetches nothing, in the page and in a tab of its own', async () => {
  posthorn.mayLog(/sandboxed|Content Security Policy|ERR_BLOCKED_BY_CSP|Refused to/)
  const id = await receive('Hostile letter', hostileHtml(there()))
  const page = await posthorn.open(`/app/inbox?message=${id}`)
  const letter = page.frameLocator('iframe[title="HTML preview"]')
  await letter.getByText('Read me').waitFor()
  for (const name of ['one', 'two', 'three']) await letter.getByText(name, { exact: true }).click()
  assert.equal(await page.title(), 'Inbox · Posthorn')
  const tab = await posthorn.open(`/v1/inbox/${id}/preview`)
  await tab.getByText('Read me').waitFor()
  assert.notEqual(await tab.title(), 'taken')
  assert.equal(fetched.join(' '), '')
  // Shows that what is fetched would be seen.
  posthorn.mayLog(/127\.0\.0\.1/)
  await page.getByRole('button', { name: 'Load remote images' }).click()
  await eventually(() => assert.ok(fetched.includes('/image') || fetched.includes('/srcset'), `${fetched}`))
  const others = [
    'ran',
    'refresh',
    'sheet',
    'prefetch',
    'frame',
    'object',
    'embed',
    'video',
    'audio',
    'form',
    'font',
    'foreign',
  ]
  assert.deepEqual(
    fetched.filter((path) => others.includes(path.slice(1))),
    [],
  )
})

test('a page stays alive beside a letter of megabytes and of a hundred thousand levels', async () => {
  posthorn.mayLog(/sandboxed|Content Security Policy/)
  const deep = await receive('Deep letter', `<p>At the top</p>${'<div>'.repeat(100_000)}x`)
  const wide = await receive('Wide letter', `<p>At the top</p>${'<p>word word word</p>'.repeat(40_000)}`)
  for (const id of [deep, wide]) {
    const page = await posthorn.open(`/app/inbox?message=${id}`)
    await page.frameLocator('iframe[title="HTML preview"]').getByText('At the top').waitFor()
    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.getByText('hello@sandbox.test').first().waitFor()
  }
})
