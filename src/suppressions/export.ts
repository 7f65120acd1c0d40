import type { FastifyReply } from 'fastify'
import type { Selectable } from 'kysely'
import type { App } from '../context.ts'
import type { Database } from '../database.ts'
import { sendCsv } from '../platform/csv/send.ts'
import { runHeavyRead } from '../platform/http/overload/heavy-reads.ts'
import { findSuppressions } from './list.ts'
import type { SuppressionFilter } from './schema.ts'

const pageMax = 1000

type Row = Pick<Selectable<Database['suppressions']>, 'id' | 'email' | 'reason'> & { createdAt: Date }

/** Sends all blocked addresses that pass the filter as CSV, newest first. */
export function exportSuppressions(app: App, teamId: string, filter: SuppressionFilter, reply: FastifyReply) {
  const page = (after: Row | null) =>
    findSuppressions(app.db, teamId, filter)
      .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
      .orderBy('id', 'desc')
      .limit(pageMax)
      .execute()
  return sendCsv<Row>(reply, {
    name: 'suppressions',
    header: ['id', 'email', 'reason', 'createdAt'],
    read: (after) => runHeavyRead(app, teamId, 'longRead', () => page(after)),
    cells: ({ id, email, reason, createdAt }) => [id, email, reason, createdAt.toISOString()],
  })
}
