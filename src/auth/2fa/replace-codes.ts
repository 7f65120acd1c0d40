import type { App, Caller, Tx } from '../../context.ts'
import { recordChange } from '../../platform/audit/record.ts'
import { conflict } from '../../platform/errors.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { findSecretForUpdate } from '../../teams/two-factor.ts'
import { BadAttempt, judgeAttempt } from '../throttle/guard.ts'
import { subjectsOfSession } from '../throttle/rules.ts'
import { invalidCode } from './invalid-code.ts'
import { replaceRecoveryCodes } from './queries.ts'
import { generateRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import { spendCode } from './spend-code.ts'

/**
 * Replaces the recovery codes after checking a code of the authenticator or a recovery code. The new ones are shown in
 * this answer only. Throws `conflict` if two-factor is off, `invalid` for a wrong code, `limitExceeded` after five.
 */
export async function replaceCodes(app: App, caller: Caller, code: string): Promise<{ recoveryCodes: string[] }> {
  const { id, teamId, sessionId = '' } = caller
  const outcome = await app.transaction((tx) =>
    judgeAttempt(tx, subjectsOfSession(id, sessionId), async () => {
      // Under the row's lock, so that of two requests at once only the codes of the later one stay.
      if ((await findSecretForUpdate(tx, id)) === null) return conflict('Two-factor is not on.')
      if (!(await spendCode(tx, app.keyring, id, code))) return new BadAttempt(invalidCode())
      const recoveryCodes = await issueRecoveryCodes(tx, app.keyring, id)
      await recordChange(tx, { teamId, action: 'recovery_codes.replaced', target: { type: 'user', id } })
      return { recoveryCodes }
    }),
  )
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** Makes ten codes and ends the old ones. */
export async function issueRecoveryCodes(tx: Tx, keyring: Keyring, userId: string): Promise<string[]> {
  const codes = generateRecoveryCodes()
  const hashes = codes.map((code) => hashRecoveryCode(keyring, userId, code))
  await replaceRecoveryCodes(tx, userId, hashes)
  return codes
}
