import type { Caller, Tx } from '../context.ts'
import { unauthenticated } from '../platform/errors.ts'

/**
 * Throws `unauthenticated` if the user's login ended since the request began. Otherwise it lasts until the commit, so a
 * reset that ends it finds everything the request made.
 */
export async function refuseEndedLogin(tx: Tx, { kind, sessionId }: Caller): Promise<void> {
  if (kind !== 'user' || sessionId === undefined) return
  await tx.db
    .selectFrom('refresh_tokens')
    .select('family_id')
    .where('family_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(() => unauthenticated('This session has ended. Log in again.'))
}
