import { sql } from 'kysely'
import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

export const webhookTraces: Trace[] = [
  traceOf({ name: 'webhookDeliveries', table: 'webhook_deliveries', key: ['webhook_id', 'id'], text: sql`payload` }),
]
