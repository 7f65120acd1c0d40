import type { App, Caller, Db } from '../context.ts'
import { usualHeaders } from '../webhooks/dispatch/attempt.ts'
import { signedHeaders } from '../webhooks/dispatch/sign.ts'
import { payloadOf, type Told } from '../webhooks/payload.ts'
import { resendPayloads } from '../webhooks/resend-payload.ts'
import { signingKeyOf } from '../webhooks/signing-secret.ts'
import type { ReadEntry } from './read.ts'

/** The forms of signed bodies, by the value of `format`. A further form is one line here. */
const formats = {
  posthorn: async (_db: Db, events: Told[]) => events.map(payloadOf),
  resend: (db: Db, events: Told[]) => resendPayloads({ db }, events),
} satisfies Record<string, (db: Db, events: Told[]) => Promise<string[]>>

type Format = keyof typeof formats

export const formatNames = Object.keys(formats) as Format[]

/**
 * Returns the secret of a caller, with which bodies in the feed are signed. It is derived from APP_SECRET, so it is the
 * same each time, and another one once APP_SECRET is changed.
 */
export function signingSecretOf(app: App, { kind, id }: Caller): string {
  return `whsec_${app.keyring.sign('feed', `${kind} ${id}`).toString('base64')}`
}

export type Signer = { teamId: string; secret: string; format: Format }

/** Returns the headers and the body that a webhook with the secret would be sent at the moment, of each entry. */
export async function signedDeliveries(app: App, { teamId, secret, format }: Signer, entries: ReadEntry[]) {
  const told = entries.map(({ entry: { type, at, data } }) => ({ type, teamId, at, data }))
  const bodies = await formats[format](app.db, told)
  const timestamp = Math.floor(app.clock.now().getTime() / 1000)
  const keys = [signingKeyOf(secret)]
  return entries.map(({ eventId: id }, index) => {
    const body = bodies[index]!
    const signed = signedHeaders(keys, { id, timestamp, body, scheme: 'posthorn' })
    return { headers: { ...usualHeaders, ...signed }, body }
  })
}
