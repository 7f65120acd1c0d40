import { sql } from 'kysely'
import type { Db, Tx } from '../../context.ts'
import { findErasedNumbers } from '../../phone/find-erased.ts'
import { rowsOf } from '../../platform/sql/sql-rows.ts'
import { numberForms } from '../../platform/text/phone-number.ts'
import { type Pair, pairKey } from '../conversations/open.ts'

/** A customer's choice about the marketing of a sender. */
type MarketingChoice = Pair & { choice: 'stop' | 'resume'; at: Date }

/**
 * Records choices. The latest one of a customer counts, in any order of arrival. Those of persons who were erased are
 * left out. Returns for each whether it was news.
 */
export async function recordChoices(tx: Tx, choices: MarketingChoice[]): Promise<boolean[]> {
  if (choices.length === 0) return []
  const keyed = choices.map((choice) => ({ ...choice, phoneNumber: numberForms(choice.phoneNumber)[0]! }))
  const pairs = keyed.map(({ teamId, phoneNumber: number }) => ({ teamId, number }))
  const erased = await findErasedNumbers(tx, pairs)
  const kept = keyed.filter(({ teamId, phoneNumber }) => !erased.has(`${teamId} ${phoneNumber}`))
  const latest = new Map(kept.toSorted((one, other) => one.at.getTime() - other.at.getTime()).map(keyedBy))
  // Every transaction writes them in this order, so that two cannot deadlock.
  const rows = [...latest].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, choice]) => choice)
  const columns = { teamId: 'uuid', senderId: 'uuid', phoneNumber: 'text', choice: 'text', at: 'timestamptz' } as const
  const written = await tx.send(sql<Pair>`
    insert into whatsapp_marketing_choices as known (team_id, sender_id, phone_number, choice, made_at)
    select team_id, sender_id, phone_number, choice, at from ${rowsOf(rows, columns).as('new', 'position')} order by position
    on conflict (team_id, sender_id, phone_number) do update set choice = excluded.choice, made_at = excluded.made_at
      where known.made_at < excluded.made_at
    returning team_id as "teamId", sender_id as "senderId", phone_number as "phoneNumber"
  `)
  const fresh = new Set(written.map(pairKey))
  return keyed.map((choice) => latest.get(pairKey(choice)) === choice && fresh.has(pairKey(choice)))
}

function keyedBy(choice: MarketingChoice): [string, MarketingChoice] {
  return [pairKey(choice), choice]
}

/**
 * Returns those of the pairs whose customer wants no marketing, under any number by which the provider knows him, by
 * `pairKey`.
 */
export async function findMarketingStops(db: Db, pairs: Pair[]): Promise<Set<string>> {
  if (pairs.length === 0) return new Set()
  const names = pairs.flatMap((pair, index) => {
    return numberForms(pair.phoneNumber).map((form) => ({ ...pair, index, phoneNumber: form }))
  })
  const columns = { teamId: 'uuid', senderId: 'uuid', phoneNumber: 'text', index: 'int' } as const
  const { rows } = await sql<{ index: number }>`
    with name as (
      select * from ${rowsOf(names, columns).as('given')}
      union all
      select given.team_id, given.sender_id, conversation.known_as, given.index
      from ${rowsOf(names, columns).as('given')}
      join whatsapp_conversations as conversation on conversation.team_id = given.team_id
        and conversation.sender_id = given.sender_id and conversation.phone_number = given.phone_number
      where conversation.known_as is not null
    )
    select distinct name.index from name
    join whatsapp_marketing_choices as made on made.team_id = name.team_id and made.sender_id = name.sender_id
      and made.phone_number = name.phone_number and made.choice = 'stop'
  `.execute(db)
  return new Set(rows.map(({ index }) => pairKey(pairs[index]!)))
}

/**
 * Records that the customers of these messages want no marketing, as of the time at which the messages were handed
 * over.
 */
export async function stopAfterMessages(tx: Tx, messages: { teamId: string; messageId: string }[]): Promise<void> {
  if (messages.length === 0) return
  const { rows } = await sql<Pair & { at: Date }>`
    select message.team_id as "teamId", message.sender_id as "senderId", message.to_number as "phoneNumber",
      coalesce(message.handed_over_at, message.created_at) as at
    from ${rowsOf(messages, { teamId: 'uuid', messageId: 'uuid' }).as('refused')}
    join whatsapp_messages as message on message.team_id = refused.team_id and message.id = refused.message_id
  `.execute(tx.db)
  const stops = rows.map((row) => ({ ...row, choice: 'stop' as const }))
  await recordChoices(tx, stops)
}

/** Forgets the choices of a person who is erased: nothing is sent to the number again. */
export async function forgetMarketingChoices(tx: Tx, teamId: string, number: string): Promise<void> {
  await sql`
    delete from whatsapp_marketing_choices
    where team_id = ${teamId} and phone_number = any(${numberForms(number)}::text[])
  `.execute(tx.db)
}
