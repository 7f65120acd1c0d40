import assert from 'node:assert/strict'
import { test } from 'node:test'
import { botReasonOf, clickReasonOf } from './bots.ts'

const people = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Linux; Android 10; CUBOT X18) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
]

const machines: [string, string][] = [
  ['', 'no_user_agent'],
  ['   ', 'no_user_agent'],
  ['Mozilla/5.0', 'privacy_proxy'],
  ['curl/8.5.0', 'program'],
  ['Wget/1.21', 'program'],
  ['python-requests/2.31.0', 'program'],
  ['Python/3.12 aiohttp/3.9', 'program'],
  ['Go-http-client/2.0', 'program'],
  ['Java/17.0.1', 'program'],
  ['node', 'program'],
  ['axios/1.6.0', 'program'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0 Safari/537.36',
    'scanner',
  ],
  ['Barracuda Sentinel (EE)', 'scanner'],
  ['Mozilla/5.0 (compatible; Proofpoint URL Defense)', 'scanner'],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'link_preview'],
  ['facebookexternalhit/1.1', 'link_preview'],
  ['WhatsApp/2.23.20 A', 'link_preview'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'link_preview'],
  ['TelegramBot (like TwitterBot)', 'link_preview'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/534 (KHTML, like Gecko) BingPreview/1.0b', 'link_preview'],
]

for (const userAgent of people) {
  test(`a person: ${userAgent}`, () => assert.equal(botReasonOf({ 'user-agent': userAgent }), null))
}

for (const [userAgent, reason] of machines) {
  test(`${reason}: ${userAgent}`, () => assert.equal(botReasonOf({ 'user-agent': userAgent }), reason))
}

test('a browser’s prefetch is recognised by its headers', () => {
  const [userAgent] = people
  for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }, { 'x-moz': 'prefetch' }]) {
    assert.equal(botReasonOf({ 'user-agent': userAgent, ...headers }), 'prefetch')
  }
})

const sentAt = new Date('2030-06-15T12:00:00Z')
const after = (ms: number, link = 'a', ipAddress = '192.0.2.1') => ({
  at: new Date(sentAt.getTime() + ms),
  link,
  ipAddress,
})

test('a click that comes before the recipient can have the mail is a machine’s', () => {
  assert.equal(clickReasonOf(after(0), null, []), 'too_soon')
  assert.equal(clickReasonOf(after(2999), sentAt, []), 'too_soon')
  assert.equal(clickReasonOf(after(3000), sentAt, []), null)
})

test('a client that follows many links at once is a machine', () => {
  const two = [after(10_000, 'a'), after(10_500, 'b')]
  assert.equal(clickReasonOf(after(11_000, 'c'), sentAt, two), 'many_links')
  assert.equal(clickReasonOf(after(11_000, 'b'), sentAt, two), null)
  assert.equal(clickReasonOf(after(11_000, 'c', '192.0.2.2'), sentAt, two), null)
  assert.equal(clickReasonOf(after(12_400, 'c'), sentAt, two), null)
})
