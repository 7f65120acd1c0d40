import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../../../test/app.ts'
import { slowTest } from '../../../test/slow.ts'
import { type Peer, startPeer } from '../fixtures/peer.ts'
import { activateChain, errorOf, outputOf, runChain } from '../fixtures/workflow.ts'

const posthorn = await createTestApp({ OUTBOUND_ALLOW: '127.0.0.0/8' })
const team = await posthorn.team()

const secretPath = '/services/T000/B000/Secret-4711'
const post = (type: string, { url }: Pick<Peer, 'url'>, message: string, triggerData?: object) =>
  runChain(posthorn, team, [{ type, config: { webhook_url: url + secretPath, message } }], triggerData)

const forms: Record<string, (text: string) => object> = {
  slack_notification: (text) => ({ text }),
  discord_notification: (content) => ({ content, allowed_mentions: { parse: [] } }),
}

for (const [type, formOf] of Object.entries(forms)) {
  test(`${type} posts its message in the form of its chat`, async () => {
    const peer = await startPeer()
    peer.answer = 204
    const name = 'Ada "x"\n☃'
    assert.deepEqual(outputOf(await post(type, peer, 'Hello {{trigger.name}}', { name })), { statusCode: 204 })
    const [{ method, path, headers, body }] = peer.asked as [Peer['asked'][number]]
    assert.deepEqual([method, path, headers['content-type']], ['POST', secretPath, 'application/json'])
    assert.deepEqual(JSON.parse(body), formOf(`Hello ${name}`))
  })

  slowTest(`${type} is tried again after 429, 5xx and no answer, and not after another answer`, async () => {
    const peer = await startPeer()
    for (const [answer, attempts] of [
      [429, 4],
      [503, 4],
      [(response) => void response.destroy(), 4],
      [400, 1],
      [302, 1],
    ] as [Peer['answer'], number][]) {
      const before = peer.asked.length
      peer.answer = answer
      errorOf(await post(type, peer, 'Hello'))
      assert.equal(peer.asked.length - before, attempts, String(answer))
    }
  })

  test(`an answer to ${type} that looks like an error of our database is treated as an answer`, async () => {
    const peer = await startPeer()
    peer.answer = (response) => void response.writeHead(503).end('Connection terminated unexpectedly')
    assert.match(errorOf(await post(type, peer, 'Hello')), /answered 503: Connection terminated unexpectedly$/)
    assert.equal(peer.asked.length, 4)
  })

  test(`an error of ${type} shows the host and its answer, and not the path of the URL`, async () => {
    const peer = await startPeer()
    peer.answer = (response, { path }) => void response.writeHead(404).end(`no_service at ${path}`)
    const host = new URL(peer.url).host
    assert.equal(errorOf(await post(type, peer, 'Hello')), `${host} answered 404: no_service at …`)
    for (const url of ['http://10.0.0.1', 'ftp://example.com', 'no url']) {
      const config = { webhook_url: '{{trigger.url}}', message: 'Hello' }
      const execution = await runChain(posthorn, team, [{ type, config }], { url: url + secretPath })
      assert(!errorOf(execution).includes('4711'), url)
    }
  })

  test(`${type} refuses an invalid URL and an empty message`, async () => {
    const good = { webhook_url: 'https://example.com/x', message: 'Hello' }
    for (const [config, path] of [
      [{ ...good, webhook_url: 'ftp://example.com' }, 'webhook_url'],
      [{ ...good, webhook_url: undefined }, 'webhook_url'],
      [{ ...good, message: '' }, 'message'],
      [{ ...good, text: 'x' }, 'text'],
    ] as const) {
      const answer = await activateChain(team, [{ type, config }])
      assert.deepEqual([answer.status, answer.body.errors[0].path], [400, `nodes[1].config.${path}`])
    }
    const peer = await startPeer()
    assert.match(errorOf(await post(type, peer, '{{trigger.none}}', { none: '' })), /^message: must not be empty/)
    assert.equal(peer.asked.length, 0)
  })
}

const written = async (type: string, message: string, triggerData: object) => {
  const peer = await startPeer()
  const { message: shown } = (await post(type, peer, message, triggerData)).nodes.find(
    ({ nodeId }) => nodeId === 'n1',
  )!.inputData
  const body = JSON.parse(peer.asked[0]!.body)
  assert.equal(shown, body.text ?? body.content)
  return shown
}

test('a value cannot mention people in Slack or hide a link behind words, and the text of the author can', async () => {
  const name = '<!channel> <https://evil.test|your bank> & <@U1>'
  const escaped = '&lt;!channel&gt; &lt;https://evil.test|your bank&gt; &amp; &lt;@U1&gt;'
  const text = await written(
    'slack_notification',
    '<!here> *{{trigger.name}}* <https://a.test/?q={{trigger.name}}&b|{{trigger.name}}> {{trigger.list}}',
    { name, list: ['<'] },
  )
  const inUrl = escaped.replaceAll('|', '%7C')
  assert.equal(text, `<!here> *${escaped}* <https://a.test/?q=${inUrl}&b|${escaped}> ["&lt;"]`)
})

test('a value cannot hide a link behind words in Discord, alone or with what is around it', async () => {
  const gap = ']\u200b('
  for (const [message, data, expected] of [
    ['{{trigger.a}}!', { a: '[bank](https://evil.test)' }, `[bank${gap}https://evil.test)!`],
    ['{{trigger.a}}({{trigger.b}})', { a: '[bank]', b: 'https://evil.test' }, `[bank${gap}https://evil.test)`],
    ['{{trigger.a}}{{trigger.b}}', { a: '[bank]', b: '(https://evil.test)' }, `[bank${gap}https://evil.test)`],
    [
      '[{{trigger.a}}](https://a.test)',
      { a: 'x](https://evil.test) [y' },
      `[x${gap}https://evil.test) [y](https://a.test)`,
    ],
    [
      '[Open](https://a.test) {{trigger.a}}',
      { a: '@everyone [1, 2] (x)' },
      '[Open](https://a.test) @everyone [1, 2] (x)',
    ],
  ] as const) {
    assert.equal(await written('discord_notification', message, data), expected)
  }
})

test('a message of 2,000 characters is sent to Discord, and a longer one is a final error', async () => {
  const peer = await startPeer()
  const text = '☃️'.repeat(1000)
  outputOf(await post('discord_notification', peer, '{{trigger.text}}', { text }))
  const before = posthorn.clock.now()
  const longer = await post('discord_notification', peer, '{{trigger.text}}!', { text })
  assert.match(errorOf(longer), /^message: must be at most 2000 characters; it became 2001/)
  assert.deepEqual([posthorn.clock.now(), peer.asked.length], [before, 1])
})
