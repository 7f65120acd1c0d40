import type { App } from '../../../../context.ts'
import type { MeteredUsage } from '../../provider.ts'

/** Records one message of overage. A repeat changes nothing. */
export async function insertUsage(app: App, { teamId, messageId, eventName, at }: MeteredUsage): Promise<void> {
  await app.transaction((tx) =>
    tx.db
      .insertInto('sandbox_usage')
      .values({ team_id: teamId, message_id: messageId, event_name: eventName, used_at: at })
      .onConflict((conflict) => conflict.columns(['team_id', 'message_id']).doNothing())
      .execute(),
  )
}
