import type { App, Caller } from '../context.ts'
import { invalid } from '../platform/errors.ts'
import { liveTeamOf } from '../platform/mode/mode.ts'
import { readPage } from '../platform/pagination.ts'
import { likePattern, someLikeAnyCase } from '../platform/sql/like.ts'
import { smsColumns } from './queries.ts'
import type { SmsListQuery } from './schema.ts'
import { findSender } from './senders/queries.ts'

/** One page of messages, newest first. */
export async function listSms(app: App, caller: Caller, { status, senderId, search, ...query }: SmsListQuery) {
  const { teamId } = caller
  if (senderId && !(await findSender(app.db, liveTeamOf(teamId), senderId))) {
    throw invalid('senderId', 'is not an SMS sender of this team')
  }
  const rows = app.db
    .selectFrom('sms_messages')
    .select(smsColumns)
    .where('team_id', '=', teamId)
    .$if(status !== undefined, (rows) => rows.where('status', '=', status!))
    .$if(senderId !== undefined, (rows) => rows.where('sender_id', '=', senderId!))
    .$if(search !== undefined, (rows) => rows.where(someLikeAnyCase(['to_number', 'body'], likePattern(search!))))
  const key = { list: 'sms', teamId, filters: { status, senderId, search } }
  return readPage(app, key, query, rows, { limitDefault: 20 })
}
