import { sql } from 'kysely'
import type { App, Caller, Db } from '../context.ts'
import { invalid } from '../platform/errors.ts'
import { likePattern, type Position, pageOf, readCursor } from '../platform/pagination.ts'
import { refuseDomainKey } from './domain-key.ts'
import { smsColumns } from './queries.ts'
import type { SmsListQuery } from './schema.ts'
import { findSender } from './senders/queries.ts'

/** A page, newest first. */
export async function listSms(app: App, caller: Caller, query: SmsListQuery) {
  refuseDomainKey(caller)
  const { teamId } = caller
  const { limit = 20, cursor, status, senderId, search } = query
  const key = { list: 'sms', teamId, filters: { status, senderId, search } }
  const position = readCursor(app.keyring, key, cursor)
  if (senderId && !(await findSender(app.db, teamId, senderId))) {
    throw invalid('senderId', 'is not an SMS sender of this team')
  }
  return pageOf(app.keyring, key, await findPage(app.db, teamId, query, position, limit + 1), limit)
}

function findPage(db: Db, teamId: string, query: SmsListQuery, after: Position | null, count: number) {
  const { status, senderId, search } = query
  return db
    .selectFrom('sms_messages')
    .select(smsColumns)
    .where('team_id', '=', teamId)
    .$if(after !== null, (rows) => rows.where('id', '<', after!.id))
    .$if(status !== undefined, (rows) => rows.where('status', '=', status!))
    .$if(senderId !== undefined, (rows) => rows.where('sender_id', '=', senderId!))
    .$if(search !== undefined, (rows) => rows.where(matches(likePattern(search!))))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

function matches(pattern: string) {
  return sql<boolean>`(to_number ilike ${pattern} or body ilike ${pattern})`
}
