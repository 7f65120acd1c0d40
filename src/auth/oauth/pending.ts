import type { App, Tx } from '../../context.ts'
import { type DomainError, unauthenticated } from '../../platform/errors.ts'
import { findTwoFactorSecrets } from '../../teams/two-factor.ts'
import type { OpenedLogin } from '../sessions/open.ts'
import { joinWithCode } from './join.ts'
import { openPending, type Pending } from './pending-token.ts'
import { findUserIdOfIdentity, lockUserOfIdentity } from './queries.ts'

type Finishing = { pendingToken: string; twoFactorCode: string; clientAddress: string }

/** Finishes a sign-in that waits for the second factor. The code works once, and a token that adds a provider too. */
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
  if (!(await isStillPending(tx, pending))) return refused()
  const secrets = await findTwoFactorSecrets(tx.db, pending.userId)
  if (!secrets?.secret) return refused()
  return joinWithCode(tx, app, { ...pending, twoFactorCode, clientAddress }, secrets)
}

/**
 * An identity that was to be added and exists shows that the token was used before. One that was known may be gone
 * meanwhile.
 */
async function isStillPending(tx: Tx, pending: Pending): Promise<boolean> {
  if (pending.isLinked) return (await lockUserOfIdentity(tx, pending)) === pending.userId
  return (await findUserIdOfIdentity(tx.db, pending)) === null
}

function refused(): DomainError {
  return unauthenticated('This sign-in has expired or was finished already. Start again at the sign-in provider.')
}
