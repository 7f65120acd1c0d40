import type { App, Caller, Tx } from '../../context.ts'
import { conflict, type DomainError } from '../../platform/errors.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { confirmPendingSecret, findTwoFactorSecrets } from '../../teams/two-factor.ts'
import { recordAccountChange } from '../record-account-change.ts'
import { BadAttempt, judgeAttempt } from '../throttle/guard.ts'
import { subjectsOfSession } from '../throttle/rules.ts'
import { invalidCode } from './invalid-code.ts'
import { issueRecoveryCodes } from './replace-codes.ts'
import { sealPurpose } from './spend-code.ts'
import { findStep } from './totp.ts'

type Verified = { enabled: true; recoveryCodes: string[] }

/**
 * Switches two-factor on after checking a code of the new authenticator. The recovery codes are shown in this answer
 * only.
 */
export async function verifyTwoFactor(app: App, caller: Caller, code: string): Promise<Verified> {
  const outcome = await app.transaction(async (tx) => {
    const secrets = await findTwoFactorSecrets(tx.db, caller.id)
    const sealed = secrets?.pendingSecret
    if (!sealed) throw conflict('There is no setup to confirm. Start one with POST /auth/2fa/setup.')
    const subjects = subjectsOfSession(caller.id, caller.sessionId ?? '')
    return judgeAttempt(tx, subjects, () => confirm(tx, app.keyring, { caller, sealed }, code))
  })
  if (outcome instanceof Error) throw outcome
  return outcome
}

async function confirm(
  tx: Tx,
  keyring: Keyring,
  { caller, sealed }: { caller: Caller; sealed: string },
  code: string,
): Promise<Verified | BadAttempt | DomainError> {
  const { id: userId, teamId } = caller
  const step = findStep(keyring.decrypt(sealPurpose, sealed, userId), code, tx.now)
  if (step === null) return new BadAttempt(invalidCode())
  if (!(await confirmPendingSecret(tx, userId, sealed, step))) {
    return conflict('This setup was confirmed or replaced by another request.')
  }
  const recoveryCodes = await issueRecoveryCodes(tx, keyring, userId)
  await recordAccountChange(tx, { userId, teamId, action: 'two_factor.enabled' })
  return { enabled: true, recoveryCodes }
}
