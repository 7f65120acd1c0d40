import type { App } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { invalid } from '../platform/errors.ts'
import { isTestTeam } from '../platform/mode/mode.ts'
import { withTestMark } from '../platform/mode/other-mode.ts'
import { refuseAnother } from '../teams/bounds/refuse-another.ts'
import { refuseEndpointUrl } from './endpoint-url.ts'
import { webhookColumns } from './queries.ts'
import type { NewWebhook } from './schema.ts'
import { endpointHost } from './shown.ts'
import { newSigningSecret, sealSecret } from './signing-secret.ts'

/**
 * Creates a webhook, in test mode one that gets test events only. Only this answer and a rotation's show the secret.
 * Throws `unprocessable` at the plan's limit.
 */
export function createWebhook(
  app: App,
  teamId: string,
  { endpointUrl, events, includeTest = isTestTeam(teamId), signatureScheme = 'posthorn' }: NewWebhook,
  payloadFormat: 'posthorn' | 'resend' = 'posthorn',
) {
  refuseEndpointUrl(app, endpointUrl)
  refuseWithoutTest(teamId, includeTest)
  const signingSecret = newSigningSecret()
  return app.transaction(async (tx) => {
    await refuseAnother(tx, teamId, 'webhookEndpoints')
    const id = tx.newId()
    const webhook = await tx.db
      .insertInto('webhooks')
      .values({
        team_id: teamId,
        id,
        endpoint_url: endpointUrl,
        events: [...new Set(events)],
        include_test: includeTest,
        signature_scheme: signatureScheme,
        payload_format: payloadFormat,
        signing_secret: sealSecret(app.keyring, id, signingSecret),
        created_at: tx.now,
        healthy_at: tx.now,
      })
      .returning(webhookColumns)
      .executeTakeFirstOrThrow()
    const target = { type: 'webhook', id, name: endpointHost(endpointUrl) }
    const changes = newValues({ events: webhook.events, includeTest, signatureScheme })
    await recordChange(tx, { teamId, action: 'webhook.created', target, changes })
    return { ...withTestMark(webhook), signingSecret }
  })
}

/** Throws `invalid` for a webhook of test mode that would get nothing. */
export function refuseWithoutTest(teamId: string, includeTest: boolean | undefined): void {
  if (includeTest === false && isTestTeam(teamId)) {
    throw invalid('includeTest', 'is true for a webhook of test mode, which gets test events only; leave it out')
  }
}
