import type { App, Tx } from '../../context.ts'
import { type DomainError, unauthenticated } from '../../platform/errors.ts'
import { findTwoFactorSecrets } from '../../teams/two-factor.ts'
import type { OpenedLogin } from '../sessions/open.ts'
import { joinWithCode } from './join.ts'
import { openPending, type Pending } from './pending-token.ts'
import { findUserIdOfIdentity } from './queries.ts'

export type Finishing = { pendingToken: string; twoFactorCode: string; clientAddress: string }

/** Finishes a sign-in that waits for the second factor. Each pending token works once. */
export async function finishJoin(app: App, finishing: Finishing): Promise<OpenedLogin | DomainError> {
  const pending = openPending(app, finishing.pendingToken)
  if (!pending) return refused()
  return app.transaction((tx) => finish(tx, app, pending, finishing))
}

async function finish(
  tx: Tx,
  app: App,
  pending: Pending,
  { twoFactorCode, clientAddress }: Finishing,
): Promise<OpenedLogin | DomainError> {
  // The identity exists already, so the token was used before.
  if (await findUserIdOfIdentity(tx.db, pending)) return refused()
  const secrets = await findTwoFactorSecrets(tx.db, pending.userId)
  if (!secrets?.secret) return refused()
  return joinWithCode(tx, app, { ...pending, twoFactorCode, clientAddress }, secrets)
}

function refused(): DomainError {
  return unauthenticated('This sign-in has expired or was finished already. Start again at the sign-in provider.')
}
