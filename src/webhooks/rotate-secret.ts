import type { App } from '../context.ts'
import { recordChange } from '../platform/audit/record.ts'
import { withTestMark } from '../platform/mode/other-mode.ts'
import { notOwnWebhook, webhookColumns } from './queries.ts'
import { endpointHost } from './shown.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'

/** How long the signatures of Standard Webhooks are also made with the previous secret. */
const overlapMs = 24 * 3_600_000

/**
 * Creates a new secret. Attempts that begin afterwards are signed with it. For 24 hours the signatures of Standard
 * Webhooks are made with the previous one too. A second rotation within that time ends the oldest secret.
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
    if (!webhook) throw await notOwnWebhook(tx.db, teamId, id)
    const target = { type: 'webhook', id, name: endpointHost(webhook.endpointUrl) }
    await recordChange(tx, { teamId, action: 'webhook.secret_rotated', target })
    return { ...withTestMark(webhook), signingSecret }
  })
}
