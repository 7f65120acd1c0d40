import type { Db } from '../../../context.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { OutboundWhatsapp } from '../../provider.ts'

export type Waiting = {
  id: string
  teamId: string
  handedOverAt: Date | null
  /** Null where its sender is not active any more. */
  outbound: OutboundWhatsapp | null
}

/** The message of a job, as its row, its sender and the job have it; undefined where it is gone. */
export async function findWaiting(db: Db, job: Job): Promise<Waiting | undefined> {
  const row = await db
    .selectFrom('whatsapp_messages as message')
    .innerJoin('whatsapp_senders as sender', (join) =>
      join.onRef('sender.team_id', '=', 'message.team_id').onRef('sender.id', '=', 'message.sender_id'),
    )
    .select(['message.id', 'message.team_id as teamId', 'message.handed_over_at as handedOverAt'])
    .select(['from_number as from', 'to_number as to', 'body', 'variables', 'template_name as templateName'])
    .select(['phone_number_id as phoneNumberId', 'waba_id as wabaId', 'sender.status as senderStatus'])
    .where('message.team_id', '=', job.teamId)
    .where('message.id', '=', job.key)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, teamId, handedOverAt, from, to, phoneNumberId, wabaId, senderStatus } = row
  if (senderStatus !== 'active' || phoneNumberId === null || wabaId === null)
    return { id, teamId, handedOverAt, outbound: null }
  const outbound = { teamId, messageId: id, phoneNumberId, wabaId, from, to, content: contentOf(row, job) }
  return { id, teamId, handedOverAt, outbound }
}

type Content = { body: string; variables: string[] | null; templateName: string | null }

function contentOf({ body, variables, templateName }: Content, job: Job): OutboundWhatsapp['content'] {
  if (templateName === null) return { kind: 'text', body }
  const { language, components } = job.payload as { language: string; components: Record<string, unknown> | null }
  return { kind: 'template', name: templateName, language, components, variables: variables ?? [], body }
}
