import type { App, Caller, Tx } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import { clearSecrets, findTwoFactorSecrets } from '../../teams/two-factor.ts'
import { recordAccountChange } from '../record-account-change.ts'
import { BadAttempt, judgeAttempt } from '../throttle/guard.ts'
import { subjectsOfSession } from '../throttle/rules.ts'
import { invalidCode } from './invalid-code.ts'
import { deleteRecoveryCodes } from './queries.ts'
import { spendCode } from './spend-code.ts'

/**
 * Switches two-factor off after checking a code of the authenticator or a recovery code. Deletes the remaining recovery
 * codes.
 */
export async function disableTwoFactor(app: App, caller: Caller, code: string): Promise<{ enabled: false }> {
  const outcome = await app.transaction(async (tx) => {
    const secrets = await findTwoFactorSecrets(tx.db, caller.id)
    if (!secrets?.secret) throw conflict('Two-factor is not on.')
    return judgeAttempt(tx, subjectsOfSession(caller.id, caller.sessionId ?? ''), async () => {
      const good = await spendCode(tx, app.keyring, caller.id, code)
      return good ? switchOff(tx, caller) : new BadAttempt(invalidCode())
    })
  })
  if (outcome instanceof Error) throw outcome
  return outcome
}

async function switchOff(tx: Tx, { id, teamId }: Caller): Promise<{ enabled: false }> {
  await clearSecrets(tx, id)
  await deleteRecoveryCodes(tx, id)
  await recordAccountChange(tx, { userId: id, teamId, action: 'two_factor.disabled' })
  return { enabled: false }
}
