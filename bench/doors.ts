import { randomUUID } from 'node:crypto'
import { Posthorn } from '../sdk/src/posthorn.ts'
import { closedLoop, type Load, middle } from './closed-loop.ts'
import { latency, perSecond } from './format.ts'
import { html, recipient, subject, text } from './message.ts'
import { inTurns, median } from './statistics.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** Few, so that the clients do not compete with the server for processors. */
const clients = 8
const sdkMin = 0.95
const resendMin = 0.9
const from = 'Shop <hello@sandbox.test>'

/** Rows 30 and 30b: sending by the SDK and by Resend's API, as against a bare `fetch` of `/v1/emails`. */
export const doors: Workload = {
  name: 'doors',
  run: (options) => withPosthorn({ EMAIL_PROVIDER: 'capture' }, clients, (parts) => measure(options, parts)),
}

async function measure({ rounds, seconds, say }: Options, { posthorn }: Parts): Promise<Result[]> {
  const key = posthorn.key!
  const client = new Posthorn(key, { baseUrl: posthorn.url })
  const email = (turn: number) => ({ from, to: [recipient(turn)], subject, text, html })
  const ways = {
    bare: (turn: number) => post(`${posthorn.url}/v1/emails`, key, email(turn)),
    // The SDK repeats safely, so its requests have keys. The same request by hand shows what the SDK itself costs.
    keyed: (turn: number) => post(`${posthorn.url}/v1/emails`, key, email(turn), { 'idempotency-key': randomUUID() }),
    sdk: async (turn: number) => void (await client.emails.send(email(turn))),
    resend: (turn: number) => post(`${posthorn.url}/resend/emails`, key, email(turn)),
  }
  for (const work of Object.values(ways)) await closedLoop(clients, Math.min(seconds, 2), work)
  const side = (name: keyof typeof ways) => async () => {
    const load = await closedLoop(clients, seconds, ways[name])
    say(`${name} ${perSecond(load.perSecond)}, ${latency(load)}`)
    return load
  }
  const loads = await inTurns(rounds, {
    ...{ bare: side('bare'), resend: side('resend'), keyed: side('keyed'), sdk: side('sdk') },
  })
  return [
    resultOf('30', `emails.send of the SDK, ${clients} clients`, loads.sdk, loads.keyed, sdkMin),
    resultOf('30b', `POST /resend/emails, ${clients} clients`, loads.resend, loads.bare, resendMin),
  ]
}

async function post(url: string, key: string, body: object, more = {}): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const told = await answer.text()
  if (!answer.ok) throw new Error(`An email was refused with ${answer.status}: ${told.slice(0, 200)}`)
}

function resultOf(row: string, what: string, ours: Load[], bare: Load[], least: number): Result {
  const ratio = median(ours.map((load, round) => load.perSecond / bare[round]!.perSecond))
  const load = middle(ours)
  return {
    ...{ row, what, ours: perSecond(load.perSecond), latency: latency(load), ratio },
    reference: `${perSecond(middle(bare).perSecond)} fetch of /v1/emails`,
    ...{ target: `>= ${least}x`, met: ratio >= least },
  }
}
