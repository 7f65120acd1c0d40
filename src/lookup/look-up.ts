import { sql } from 'kysely'
import { broadcastsSeenBy } from '../broadcasts/get.ts'
import { isSeen } from '../broadcasts/queries.ts'
import type { App, Caller } from '../context.ts'
import { seesSystemMail } from '../emails/system-mail.ts'
import { liveTeamOf, teamsReadBy } from '../platform/mode/mode.ts'
import { findRequest } from '../requests/queries.ts'
import { getRequestRoute } from '../requests/routes.ts'
import { hasRole, rolesOf } from '../teams/roles/refuse-role.ts'
import { findWebhook } from '../webhooks/queries.ts'
import { webhookShownTo } from '../webhooks/shown.ts'
import type { Thing } from './schema.ts'

/** Finds the resource of an id that the caller may read. Null if there is none. */
export async function lookUp(app: App, caller: Caller, id: string): Promise<Thing | null> {
  return (await findStored(app, caller, id)) ?? (await findLogged(app, caller, id))
}

/** Every role reads these. Configuration that both modes share is stored under the live team's id. */
async function findStored(app: App, caller: Caller, id: string): Promise<Thing | null> {
  const { teamId } = caller
  const own = (table: string) => sql`${sql.table(table)} where team_id = ${teamId} and id = ${id}`
  const shared = (table: string) => sql`${sql.table(table)} where team_id = ${liveTeamOf(teamId)} and id = ${id}`
  const read = (table: string) =>
    sql`${sql.table(table)} where team_id = any(${teamsReadBy(teamId)}::uuid[]) and id = ${id}`
  const seen = await broadcastsSeenBy(app, caller)
  const { rows } = await sql<Thing>`
    select kind, ${id}::uuid as id, parent_id as "parentId", name from (
      select 'email' as kind, null::uuid as parent_id, subject as name from ${own('emails')}
        and (${seesSystemMail(caller)} or not system)
      union all select 'sms', null, to_number from ${own('sms_messages')}
      union all select 'whatsapp_message', null, case direction when 'inbound' then from_number else to_number end
        from ${own('whatsapp_messages')}
      union all select 'whatsapp_conversation', null, phone_number from ${own('whatsapp_conversations')}
      union all select 'contact', null, email from ${own('contacts')}
      union all select 'segment', null, name from ${own('segments')}
      union all select 'topic', null, name from ${own('topics')}
      union all select 'template', null, name from ${read('templates')}
        and (team_id = ${teamId} or status = 'published')
      union all select 'whatsapp_template', null, name from ${read('whatsapp_templates')}
      union all select 'broadcast', null, name from broadcasts as broadcast
        where team_id = ${teamId} and id = ${id} and ${isSeen(seen)}
      union all select 'workflow', null, name from ${read('workflows')}
      union all select 'execution', workflow.id, workflow.name from workflow_executions as execution
        join workflows as workflow
          on workflow.team_id = any(${teamsReadBy(teamId)}::uuid[]) and workflow.id = execution.workflow_id
        where execution.team_id = ${teamId} and execution.id = ${id}
      union all select 'delivery', webhook.id, delivery.event_type from webhooks as webhook
        join webhook_deliveries as delivery on delivery.webhook_id = webhook.id and delivery.id = ${id}
        where webhook.team_id = ${teamId}
      union all select 'webhook', null, endpoint_url from ${read('webhooks')}
      union all select 'domain', null, name from ${shared('domains')}
      union all select 'sms_sender', null, name from ${shared('sms_senders')}
      union all select 'whatsapp_sender', null, name from ${shared('whatsapp_senders')}
    ) as things limit 1
  `.execute(app.db)
  const [found] = rows
  if (!found) return null
  const webhook = found.kind === 'webhook' ? await findWebhook(app.db, teamId, id) : undefined
  return webhook ? { ...found, name: webhookShownTo(caller, webhook).endpointUrl } : found
}

/** Logged requests are shown to the roles of their route, and to no API key. */
async function findLogged(app: App, caller: Caller, id: string): Promise<Thing | null> {
  if (caller.kind !== 'user' || !hasRole(caller, rolesOf(getRequestRoute))) return null
  const request = await findRequest(app, caller.teamId, id)
  return request ? { kind: 'request', id, parentId: null, name: `${request.method} ${request.path}` } : null
}
