import type { StreamedEntry } from '../../../sdk/src/feed.ts'
import type { Call } from '../call.ts'
import { usageFailure } from '../failure.ts'
import { visible, visibleJson } from '../output/visible.ts'
import { follow, typesOf } from './follow.ts'
import { type Posted, post } from './post.ts'

const firstWaitMs = 100
const waitMaxMs = 2000
/**
 * A program that breaks off is asked again, since it may be starting anew. It breaks off each time at the same event.
 */
const brokenMax = 3
/** Receivers refuse signatures of more than five minutes ago. */
const signedAnewMs = 120_000

/**
 * Posts what a webhook would be sent to a URL of this machine, in order, until it is interrupted. While nothing takes
 * requests there it waits; an answer of whatever status ends a delivery, and so does a program that breaks off thrice.
 */
export function listen(call: Call): Promise<number> {
  const url = forwardUrl(call)
  const format = call.values.format === 'resend' ? 'resend' : 'posthorn'
  let isReady = false
  let ageMs = newAgeMs()
  const onReady = ({ signingSecret = '' }) => {
    ageMs = newAgeMs()
    if (!isReady) writeReady(call, url, signingSecret)
    isReady = true
  }
  return follow(call, { ...typesOf(call.values.events), signed: true, format, onReady }, (entry) =>
    deliver(call, url, entry, ageMs),
  )
}

/**
 * Returns what tells for how long an entry of a connection has been signed. The clock of the server may differ from
 * that of this machine: the entry with the least difference counts as new.
 */
function newAgeMs(): (headers: Record<string, string>) => number {
  let leastMs = Number.POSITIVE_INFINITY
  return (headers) => {
    const sinceMs = Date.now() - Number(headers['webhook-timestamp']) * 1000
    leastMs = Math.min(leastMs, sinceMs)
    return sinceMs - leastMs
  }
}

function forwardUrl({ values }: Call): URL {
  const given = values['forward-to']
  if (given === undefined) throw usageFailure('Say where to, such as --forward-to http://localhost:4000/webhooks.')
  const text = String(given)
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw usageFailure(`--forward-to begins with http:// or https://; it was "${text}".`)
  return new URL(text)
}

/** Delivers an entry. Returns false if it must be signed anew, because its signature is too old. */
async function deliver(
  call: Call,
  url: URL,
  { type, headers = {}, body = '' }: StreamedEntry,
  ageMs: ReturnType<typeof newAgeMs>,
): Promise<boolean> {
  let [waitMs, broken] = [firstWaitMs, 0]
  for (let attempts = 1; ; attempts++) {
    call.io.signal?.throwIfAborted()
    if (ageMs(headers) > signedAnewMs) return false
    const posted = await post(url, headers, body)
    if (posted.isBroken) broken++
    const isOver = posted.isThere || broken === brokenMax
    if (isOver || posted.isBroken || attempts === 1)
      writeDelivery(call, type, headers['webhook-id'] ?? '', posted, isOver)
    if (isOver) return true
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    waitMs = Math.min(waitMs * 2, waitMaxMs)
  }
}

function writeReady({ io, json }: Call, url: URL, signingSecret: string): void {
  const line = json
    ? visibleJson({ type: 'ready', signingSecret })
    : visible(`Forwarding to ${url.href}. The signing secret is ${signingSecret}`)
  io.out(`${line}\n`)
}

function writeDelivery(
  { io, json }: Call,
  event: string,
  id: string,
  { status, ms, error }: Posted,
  isOver: boolean,
): void {
  const line = json
    ? visibleJson({ type: 'delivery', event, id, status, ms, error })
    : visible(`${status ?? `${error}; ${isOver ? 'given up' : 'waiting for it'}`} ${event} ${id} ${ms} ms`)
  io.out(`${line}\n`)
}
