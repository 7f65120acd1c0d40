import type { App } from '../context.ts'
import { notFound } from '../platform/errors.ts'
import { webhookColumns } from './queries.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'

/** Attempts that begin after it are signed with the new secret, those of earlier deliveries too. */
export function rotateSecret(app: App, teamId: string, id: string) {
  const signingSecret = newSigningSecret()
  return app.transaction(async (tx) => {
    const webhook = await tx.db
      .updateTable('webhooks')
      .set({ signing_secret: sealSecret(app.keyring, id, signingSecret) })
      .where('team_id', '=', teamId)
      .where('id', '=', id)
      .returning(webhookColumns)
      .executeTakeFirst()
    if (!webhook) throw notFound('webhook')
    return { ...webhook, signingSecret }
  })
}
