import { sql } from 'kysely'
import type { App, Db } from '../../../context.ts'
import { isUuid } from '../../../platform/ids.ts'
import { erased } from '../../../platform/privacy/person.ts'
import { rowsOf } from '../../../platform/sql/sql-rows.ts'
import { gatheredFor } from '../../../platform/transaction/gather.ts'
import type { SmsFact, SmsProvider } from '../../provider.ts'
import type { FactOfSms } from './consequences.ts'
import { awaitPrices } from './find-price.ts'
import { recordSmsFacts } from './record.ts'

type Told = { provider: SmsProvider['name']; fact: SmsFact }

/**
 * Records facts that a provider reports about messages; all are durable when this resolves. Ignores facts about unknown
 * messages.
 */
export async function recordSmsReports(app: App, provider: SmsProvider['name'], facts: SmsFact[]): Promise<void> {
  await Promise.all(facts.map((fact) => recordGathered(app, { provider, fact })))
}

const recordGathered: (app: App, told: Told) => Promise<void> = gatheredFor(
  (app, batch) =>
    app.transaction(async (tx) => {
      const facts = await findMessages(tx.db, batch)
      await recordSmsFacts(tx, facts)
      await awaitPrices(app, tx, facts)
      return batch.map(() => undefined)
    }),
  { itemsMax: 200, flushesMax: 1 },
)

/**
 * Finds messages of all teams, by our id or else by the provider's. Facts of a message whose recipient was erased keep
 * no data, which may hold the number.
 */
async function findMessages(db: Db, batch: Told[]): Promise<FactOfSms[]> {
  const told = batch.map(({ provider, fact: { messageId, providerMessageId } }) => ({
    id: messageId !== null && isUuid(messageId) ? messageId : null,
    providerId: messageId === null ? providerMessageId : null,
    provider,
  }))
  const { rows } = await sql<{ position: string; teamId: string; messageId: string; isErased: boolean }>`
    select told.position, message.team_id as "teamId", message.id as "messageId",
      message.to_number = ${erased} as "isErased"
    from ${rowsOf(told, { id: 'uuid', providerId: 'text', provider: 'text' }).as('told', 'position')}
    cross join lateral (
      (select team_id, id, to_number from sms_messages where id = told.id and provider = told.provider)
      union all
      (select team_id, id, to_number from sms_messages where provider = told.provider and provider_message_id = told.provider_id limit 1)
    ) as message
  `.execute(db)
  return rows.map(({ position, teamId, messageId, isErased }) => {
    const { fact } = batch[Number(position) - 1]!
    return { teamId, messageId, fact: isErased ? { ...fact, data: null } : fact }
  })
}
