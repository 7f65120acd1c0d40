import type { App } from '../../context.ts'
import { invalid } from '../../platform/errors.ts'

const toleranceSeconds = 300

/**
 * Returns the text of a signed event. Throws `invalid` if the signature is missing, does not match the body, or is more
 * than five minutes off.
 */
export async function readSigned(app: App, body: unknown, signature: string | string[] | undefined): Promise<string> {
  if (typeof signature !== 'string') throw refusal('is missing: events are signed by the payment provider')
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  const { default: Stripe } = await import('stripe')
  const text = bytes.toString('utf8')
  const now = app.clock.now().getTime()
  const refusals: string[] = []
  const secrets = [webhookSecretOf(app), ...app.config.stripeWebhookSecretsPrevious]
  for (const secret of secrets) {
    try {
      Stripe.webhooks.signature!.verifyHeader(text, signature, secret, toleranceSeconds, undefined, now)
      break
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
      refusals.push(reasonOf(error))
    }
  }
  if (refusals.length === secrets.length) throw refusal(refusals[0]!)
  if (signedAt(signature) > now / 1000 + toleranceSeconds) throw refusal('is of a time that has not come yet')
  return text
}

export function webhookSecretOf(app: App): string {
  if (!app.config.stripeWebhookSecret) throw new Error('There is no STRIPE_WEBHOOK_SECRET.')
  return app.config.stripeWebhookSecret
}

function refusal(message: string) {
  return invalid('Stripe-Signature', message)
}

function reasonOf(error: Error): string {
  return error.message.startsWith('Timestamp outside')
    ? 'is older than 5 minutes; compare the clocks'
    : 'is not that of the body with the secret STRIPE_WEBHOOK_SECRET'
}

/**
 * Returns the time of a signature, because the library checks only the age. Of several times the last one counts, as
 * there.
 */
function signedAt(signature: string): number {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  return Number.parseInt(times.at(-1)?.slice(2) ?? '', 10)
}
