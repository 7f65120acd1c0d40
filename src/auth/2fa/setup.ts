import type { App, Caller } from '../../context.ts'
import { conflict } from '../../platform/errors.ts'
import { findTwoFactorSecrets, updatePendingSecret } from '../../teams/two-factor.ts'
import { sealPurpose } from './spend-code.ts'
import { generateSecret, otpauthUrl } from './totp.ts'

type Setup = { secret: string; otpauthUrl: string; qrCode: string }

/**
 * Creates a secret that takes effect once confirmed, and replaces an unconfirmed one. Throws `conflict` if two-factor
 * is on.
 */
export async function setUpTwoFactor(app: App, caller: Caller): Promise<Setup> {
  const secret = generateSecret()
  const email = await app.transaction(async (tx) => {
    const pending = await updatePendingSecret(tx, caller.id, app.keyring.encrypt(sealPurpose, secret, caller.id))
    if (!pending) throw conflict('Two-factor is on already. Disable it first to change the authenticator.')
    return (await findTwoFactorSecrets(tx.db, caller.id))?.email ?? ''
  })
  const url = otpauthUrl(secret, email)
  // Loaded at its first use, because few processes ever draw a QR code.
  const { default: qrcode } = await import('qrcode')
  return {
    secret,
    otpauthUrl: url,
    qrCode: await qrcode.toDataURL(url, { type: 'image/png', errorCorrectionLevel: 'M' }),
  }
}
