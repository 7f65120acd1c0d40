import { sql } from 'kysely'
import type { Tx } from '../../../context.ts'
import { handsOverOnce, type Marked } from '../../../phone/hand-over.ts'
import { liveTeamOf, modeOf } from '../../../platform/mode/mode.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import type { WhatsappMessageJob } from '../../jobs.ts'
import type { OutboundWhatsapp, WhatsappAnswer } from '../../provider.ts'

/** Hands the message of a job to the provider, at most once. It is `refused` if the sender is not active. */
export const handOver = handsOverOnce<WhatsappMessageJob, Row, OutboundWhatsapp, WhatsappAnswer>({
  mark: (_, tx, jobs) => markMessages(tx, jobs),
  markedOf,
  send: (app, message) => app.providers.whatsapp[modeOf(message.teamId)].send(message),
})

type Row = {
  isMarked: boolean
  exists: boolean
  wasHandedOver: boolean
  teamId: string
  messageId: string
  from: string
  to: string
  body: string
  variables: string[] | null
  templateName: string | null
  phoneNumberId: string | null
  wabaId: string | null
}

/**
 * Returns rows by the job's id, without jobs whose lease is lost. Each lease stays locked until the mark is committed.
 */
async function markMessages(tx: Tx, jobs: WhatsappMessageJob[]): Promise<Map<string, Row>> {
  const leases = jobs.map(({ id, leaseToken, teamId, key }) => {
    return { id, leaseToken, teamId, key, ownerId: liveTeamOf(teamId) }
  })
  const rows = await tx.send(sql<Row & { jobId: string }>`
    with held as materialized (
      select jobs.id as job_id, lease.team_id, lease.owner_id, lease.key as message_id
      from ${rowsOf(leases, { id: 'bigint', leaseToken: 'uuid', teamId: 'uuid', key: 'uuid', ownerId: 'uuid' }).as('lease')}
      join jobs on jobs.id = lease.id and jobs.lease_token = lease.lease_token
      order by jobs.id for update of jobs
    ), marked as (
      update whatsapp_messages as message set handed_over_at = ${tx.now}
      from held, whatsapp_senders as sender
      where message.team_id = held.team_id and message.id = held.message_id and message.handed_over_at is null
        and message.status = 'accepted' and sender.team_id = held.owner_id and sender.id = message.sender_id
        and (sender.status = 'active' or held.owner_id <> held.team_id)
      returning message.id
    )
    select held.job_id as "jobId", held.team_id as "teamId", held.message_id as "messageId",
      marked.id is not null as "isMarked", message.id is not null as exists,
      message.handed_over_at is not null as "wasHandedOver", message.from_number as "from", message.to_number as "to",
      message.body, message.variables, message.template_name as "templateName",
      sender.phone_number_id as "phoneNumberId", sender.waba_id as "wabaId"
    from held
    left join marked on marked.id = held.message_id
    left join whatsapp_messages as message on message.team_id = held.team_id and message.id = held.message_id
    left join whatsapp_senders as sender on sender.team_id = held.owner_id and sender.id = message.sender_id
  `)
  return new Map(rows.map(({ jobId, ...row }) => [jobId, row]))
}

const inactive = { kind: 'refused' as const, message: 'The sender is not active any more.', data: null }

function markedOf(row: Row, job: WhatsappMessageJob): Marked<OutboundWhatsapp, WhatsappAnswer> {
  if (!row.exists) return { kind: 'gone' }
  if (!row.isMarked) return row.wasHandedOver ? { kind: 'handedOver' } : { kind: 'refused', answer: inactive }
  const { teamId, messageId, from, to, phoneNumberId, wabaId } = row
  // An active sender has both ids.
  const address = { phoneNumberId: phoneNumberId!, wabaId: wabaId!, from, to }
  return { kind: 'ready', message: { teamId, messageId, ...address, content: contentOf(row, job) } }
}

function contentOf({ body, variables, templateName }: Row, job: WhatsappMessageJob): OutboundWhatsapp['content'] {
  if (templateName === null) return { kind: 'text', body }
  const { language, components } = job.payload as { language: string; components: Record<string, unknown> | null }
  return { kind: 'template', name: templateName, language, components, variables: variables ?? [], body }
}
