import type { StreamedEntry } from '../../../sdk/src/feed.ts'
import type { Call } from '../call.ts'
import { usageFailure } from '../failure.ts'
import { visible, visibleJson } from '../output/visible.ts'
import { follow, typesOf } from './follow.ts'
import { type Posted, post } from './post.ts'

const firstWaitMs = 100
const waitMaxMs = 2000
/** Receivers refuse signatures of more than five minutes ago. */
const signedAnewMs = 120_000

/**
 * Posts what a webhook would be sent to a URL of this machine, in order, until it is interrupted. While nothing takes
 * requests there it waits; an answer of whatever status ends a delivery.
 */
export function listen(call: Call): Promise<number> {
  const url = forwardUrl(call)
  const format = call.values.format === 'resend' ? 'resend' : 'posthorn'
  let isReady = false
  const onReady = ({ signingSecret = '' }) => {
    if (!isReady) writeReady(call, url, signingSecret)
    isReady = true
  }
  return follow(call, { ...typesOf(call.values.events), signed: true, format, onReady }, (entry) =>
    deliver(call, url, entry),
  )
}

function forwardUrl({ values }: Call): URL {
  const given = values['forward-to']
  if (given === undefined) throw usageFailure('Say where to, such as --forward-to http://localhost:4000/webhooks.')
  const text = String(given)
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw usageFailure(`--forward-to begins with http:// or https://; it was "${text}".`)
  return new URL(text)
}

/** Delivers an entry. Returns false if it must be signed anew, because nothing has taken it for long. */
async function deliver(call: Call, url: URL, { type, headers = {}, body = '' }: StreamedEntry): Promise<boolean> {
  const untilMs = performance.now() + signedAnewMs
  let waitMs = firstWaitMs
  for (let attempts = 1; ; attempts++) {
    call.io.signal?.throwIfAborted()
    const posted = await post(url, headers, body)
    if (posted.isThere || attempts === 1) writeDelivery(call, type, headers['webhook-id'] ?? '', posted)
    if (posted.isThere) return true
    if (performance.now() > untilMs) return false
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

function writeDelivery({ io, json }: Call, event: string, id: string, { status, ms, error }: Posted): void {
  const line = json
    ? visibleJson({ type: 'delivery', event, id, status, ms, error })
    : visible(`${status ?? `${error}; waiting for it`} ${event} ${id} ${ms} ms`)
  io.out(`${line}\n`)
}
