import type { Db } from '../../../context.ts'
import { parseMailbox } from '../../../emails/mailbox.ts'

/** `recipient`: the first in `to`. */
type EmailHead = { domainId: string; recipient: string | null }

export async function findEmailHeads(db: Db, teamId: string, ids: string[]): Promise<Map<string, EmailHead>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('emails')
    .select(['id', 'domain_id as domainId', 'to_addresses as to'])
    .where('team_id', '=', teamId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute()
  return new Map(
    rows.map(({ id, domainId, to }) => [id, { domainId, recipient: parseMailbox(to[0] ?? '')?.address ?? null }]),
  )
}
