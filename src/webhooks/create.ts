import type { App, Tx } from '../context.ts'
import { conflict } from '../platform/errors.ts'
import { refuseEndpointUrl } from './endpoint-url.ts'
import { webhookColumns } from './queries.ts'
import type { NewWebhook } from './schema.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'

/** Every event of the team is copied to each of its webhooks. */
const webhooksMax = 100

/** The only answer but a rotation's that shows the secret. */
export function createWebhook(app: App, teamId: string, { endpointUrl, events }: NewWebhook) {
  refuseEndpointUrl(app, endpointUrl)
  const signingSecret = newSigningSecret()
  return app.transaction(async (tx) => {
    await refuseTooMany(tx, teamId)
    const webhook = await tx.db
      .insertInto('webhooks')
      .values({
        ...{ team_id: teamId, id: tx.newId(), endpoint_url: endpointUrl, events: [...new Set(events)] },
        ...{ signing_secret: sealSecret(app.keyring, signingSecret), created_at: tx.now },
      })
      .returning(webhookColumns)
      .executeTakeFirstOrThrow()
    return { ...webhook, signingSecret }
  })
}

/** Requests that race may pass it by a few, which harms nobody. */
async function refuseTooMany(tx: Tx, teamId: string): Promise<void> {
  const { count } = await tx.db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= webhooksMax) throw conflict(`A team has ${webhooksMax} webhooks at most. Delete one first.`)
}
