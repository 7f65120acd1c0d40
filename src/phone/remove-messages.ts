import { sql } from 'kysely'
import type { Tx } from '../context.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { Page } from '../platform/retention/remove-in-team.ts'

type Channel = {
  name: 'sms' | 'whatsapp'
  /** The kind of the jobs that deliver its messages. */
  job: string
  messagesMax: number
  /** Runs before messages up to this id are removed. */
  note?(throughId: string): Promise<void>
}

/** Removes a page of old messages that are handed over, with their events. Returns where the next page begins. */
export async function removeMessages(tx: Tx, teamId: string, { before, after }: Page, channel: Channel) {
  const { name, job, messagesMax, note } = channel
  const [messages, events] = [sql.table(`${name}_messages`), sql.table(`${name}_events`)]
  const { rows } = await sql<{ id: string; hasEnded: boolean }>`
    select message.id, not exists (select from jobs where kind = ${job} and key = message.id::text) as "hasEnded"
    from (
      select id from ${messages} where team_id = ${teamId} and id < ${firstIdAt(before)} ${after ? sql`and id > ${after}` : sql``}
      order by id limit ${messagesMax}
    ) as message
    order by message.id
  `.execute(tx.db)
  const ids = rows.filter((message) => message.hasEnded).map(({ id }) => id)
  if (ids.length > 0) {
    await note?.(ids.at(-1)!)
    const { rows: locked } = await sql<{ id: string }>`
      select id from ${messages} where team_id = ${teamId} and id = any(${ids}::uuid[]) for update skip locked
    `.execute(tx.db)
    const held = locked.map(({ id }) => id)
    await sql`delete from ${events} where team_id = ${teamId} and message_id = any(${held}::uuid[])`.execute(tx.db)
    await sql`delete from ${messages} where team_id = ${teamId} and id = any(${held}::uuid[])`.execute(tx.db)
  }
  return rows.length === messagesMax ? rows.at(-1)!.id : null
}
