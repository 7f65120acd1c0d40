import type { App, Caller } from '../context.ts'
import { usualHeaders } from '../webhooks/dispatch/attempt.ts'
import { signedHeaders } from '../webhooks/dispatch/sign.ts'
import { payloadOf } from '../webhooks/payload.ts'
import { signingKeyOf } from '../webhooks/signing-secret.ts'
import type { FeedEntry } from './read.ts'

/** An entry and where it comes from, as a format gets it. `eventId` identifies the delivery. */
export type Deliverable = { teamId: string; eventId: string; entry: FeedEntry }

/** The forms of a signed body, by the value of `format`. A further form is one line here. */
const formats = {
  posthorn: ({ teamId, entry: { type, at, data } }: Deliverable): string => payloadOf({ type, teamId, at, data }),
} satisfies Record<string, (deliverable: Deliverable) => string>

export type Format = keyof typeof formats

export const formatNames = Object.keys(formats) as Format[]

/**
 * Returns the secret of a caller, with which bodies in the feed are signed. It is derived from APP_SECRET, so it is the
 * same each time, and another one once APP_SECRET is changed.
 */
export function signingSecretOf(app: App, { kind, id }: Caller): string {
  return `whsec_${app.keyring.sign('feed', `${kind} ${id}`).toString('base64')}`
}

/** Returns the headers and the body that a webhook with this secret would be sent at the moment. */
export function signedDelivery(app: App, secret: string, format: Format, deliverable: Deliverable) {
  const body = formats[format](deliverable)
  const timestamp = Math.floor(app.clock.now().getTime() / 1000)
  const signed = { id: deliverable.eventId, timestamp, body, scheme: 'posthorn' } as const
  return { headers: { ...usualHeaders, ...signedHeaders([signingKeyOf(secret)], signed) }, body }
}
