import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createWebhookApp } from './fixtures/app.ts'

const posthorn = await createWebhookApp()
const folder = fileURLToPath(new URL('../../docs/webhooks/', import.meta.url))
const [cases, verdicts] = await collectCases()

/** Programs that read cases as JSON from standard input and print the sample's verdicts as a list of 0 and 1. */
const drivers: Record<string, { probe: string[]; run: string[] }> = {
  node: {
    probe: ['--version'],
    run: [
      ...['--input-type=module', '-e'],
      `import { verify } from '${new URL('../../docs/webhooks/verify.js', import.meta.url)}'
       import { readFileSync } from 'node:fs'
       const cases = JSON.parse(readFileSync(0, 'utf8'))
       console.log(JSON.stringify(cases.map(({ body, headers, secret }) => Number(verify(body, headers, secret)))))`,
    ],
  },
  python3: {
    probe: ['-c', 'import hmac, json'],
    run: [
      '-Bc',
      `import json, sys
sys.path.insert(0, ${JSON.stringify(folder)})
from verify import verify
print(json.dumps([int(verify(c["body"].encode(), c["headers"], c["secret"])) for c in json.load(sys.stdin)]))`,
    ],
  },
  perl: {
    probe: ['-MDigest::SHA', '-MJSON::PP', '-e', '1'],
    run: [
      ...['-MJSON::PP', '-MEncode', '-e'],
      `require ${JSON.stringify(`${folder}verify.pl`)};
       my $cases = decode_json(join '', <STDIN>);
       print encode_json([map { 0 + verify(encode_utf8($_->{body}), $_->{headers}, $_->{secret}) } @$cases]);`,
    ],
  },
}

for (const [interpreter, { probe, run }] of Object.entries(drivers)) {
  const command = interpreter === 'node' ? process.execPath : interpreter
  const isMissing = spawnSync(command, probe).status !== 0
  const skip = isMissing && `${interpreter}, with the modules the sample takes, is not on this machine`
  test(`the sample for ${interpreter} accepts only deliveries that Posthorn signed`, { skip }, () => {
    const { stdout, stderr } = spawnSync(command, run, { input: JSON.stringify(cases), encoding: 'utf8' })
    assert.ok(stdout, stderr)
    assert.deepEqual(JSON.parse(stdout), verdicts)
  })
}

/**
 * Collects deliveries that the server signed, one ten minutes ago, one now and one after a rotation of the secret, and
 * tampered copies of the recent one.
 */
async function collectCases() {
  const {
    team,
    receiver,
    webhook: { secret, path },
  } = await posthorn.setUp()
  const now = Date.now()
  for (const at of [now - 600_000, now]) {
    posthorn.clock.set(new Date(at))
    await posthorn.happenNow(team.id, 'email.delivered', { subject: 'Grüße, 世界' })
  }
  const [old, fresh] = receiver.received.map(({ body, headers }) => ({ body, headers, secret }))
  const { body: webhook } = await team.api.post(`${path}/rotate-secret`)
  await posthorn.happenNow(team.id)
  const rotated = { ...receiver.received.at(-1)!, secret: webhook.signingSecret }
  const { body, headers } = fresh!
  const changed = (change: object) => ({ ...fresh!, headers: { ...headers, ...change } })
  const signature = String(headers['webhook-signature'])
  const all = [
    [fresh!, 1],
    [old!, 0],
    [rotated, 1],
    [{ ...rotated, secret }, 0],
    [changed({ 'webhook-signature': `${signature} v1,AAAA` }), 0],
    [changed({ 'webhook-signature': 'v1,AAAA' }), 0],
    [{ ...fresh!, body: body.replace('delivered', 'bounced') }, 0],
    [{ ...fresh!, body: `${body} ` }, 0],
    [{ ...fresh!, secret: secret.replace('whsec_', '') }, 0],
    [{ ...fresh!, secret: `${secret}x` }, 0],
    [changed({ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }), 0],
    [changed({ 'webhook-timestamp': 'now' }), 0],
    [changed({ 'webhook-timestamp': undefined }), 0],
    [changed({ 'webhook-signature': signature.replace('v1,', 'v2,') }), 0],
    [changed({ 'webhook-signature': signature.slice(0, -1) }), 0],
    [changed({ 'webhook-signature': '' }), 0],
    [changed({ 'webhook-signature': undefined }), 0],
  ] as const
  return [all.map(([given]) => given), all.map(([, verdict]) => verdict)] as const
}
