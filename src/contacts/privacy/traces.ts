import { sql } from 'kysely'
import { type Trace, traceOf } from '../../platform/privacy/trace.ts'

export const contactTraces: Trace[] = [
  traceOf({
    ...{ name: 'contacts', table: 'contacts', key: ['id'] },
    text: sql`concat_ws(E'\n', email, phone_number)`,
    hidden: ['unsubscribe_seed', 'unsubscribe_hash', 'search_text', 'email_key'],
  }),
]
