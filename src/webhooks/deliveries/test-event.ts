import type { App } from '../../context.ts'
import type { EventType } from '../event-types.ts'
import { addDelivery } from './add.ts'

/**
 * Sends an event as an email's would be, marked as a test, to a webhook that need not subscribe to it. It names an
 * email that does not exist.
 */
export function sendTestEvent(app: App, teamId: string, webhookId: string, eventType: EventType) {
  return app.transaction((tx) => {
    const data = { email_id: tx.newId(), details: null }
    const payload = JSON.stringify({ type: eventType, mode: 'test', created_at: tx.now.toISOString(), data })
    return addDelivery(tx, { teamId, webhookId, eventType, payload })
  })
}
