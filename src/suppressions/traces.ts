import { type Found, type Showing, type Trace, traceOf } from '../platform/privacy/trace.ts'

function showSuppression(_: Showing, { row }: Found): object {
  const { id, email, reason, created_at: createdAt } = row
  return { id, email, reason, createdAt }
}

/**
 * Entries with the address itself, such as one that a late bounce adds. The keyed hash that an erasure keeps is not
 * among them.
 */
export const suppressionTraces: Trace[] = [
  traceOf({
    ...{ name: 'suppressions', table: 'suppressions', key: ['id'], searched: { email: 'address' } },
    show: showSuppression,
  }),
]
