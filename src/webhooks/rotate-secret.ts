import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { webhookColumns } from './queries.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'

/** How long the receiver may go on verifying with the old secret. */
const overlapMs = 24 * 3_600_000

/**
 * Attempts that begin after it are signed with the new secret, those of earlier deliveries too, and for 24 hours with the
 * one before as well. A second rotation within that time ends the first secret.
 */
export function rotateSecret(app: App, teamId: string, id: string) {
  const signingSecret = newSigningSecret()
  return app.transaction(async (tx) => {
    const webhook = await tx.db
      .updateTable('webhooks')
      .set((webhook) => ({
        signing_secret: sealSecret(app.keyring, id, signingSecret),
        previous_signing_secret: webhook.ref('signing_secret'),
        previous_secret_until: new Date(tx.now.getTime() + overlapMs),
      }))
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(webhookColumns)
      .executeTakeFirst()
    if (!webhook) throw notFound('webhook')
    return { ...webhook, signingSecret }
  })
}
