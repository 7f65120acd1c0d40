import { sql } from 'kysely'
import { erased } from '../../platform/privacy/person.ts'
import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

export const smsTraces: Trace[] = [
  traceOf({ name: 'smsEvents', table: 'sms_events', key: ['message_id', 'id'], searched: { data: 'json' } }),
  traceOf({
    ...{ name: 'sms', table: 'sms_messages', key: ['id'], searched: { to_number: 'text', body: 'text' } },
    hidden: ['price_units', 'handed_over_at'],
    // The row stays without the person, because the ledger of the team's credit refers to it.
    async erase(tx, teamId, found) {
      const ids = found.map(({ key }) => key[0]!)
      await sql`
        update sms_messages set to_number = ${erased}, body = ${erased} where team_id = ${teamId} and id = any(${ids}::uuid[])
      `.execute(tx.db)
      return found.length
    },
  }),
]
