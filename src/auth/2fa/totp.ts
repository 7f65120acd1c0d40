import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
/** Codes are accepted one step (30 s) early or late, to allow for clocks that differ. */
const windowSteps = 1

/** 160 random bits, as RFC 4226 recommends (section 4), in Base32. */
export function generateSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Builds the URL that an authenticator app reads from the QR code. */
export function otpauthUrl(secret: string, account: string): string {
  return totp(secret, account).toString()
}

/** Finds the time step that a code belongs to. Null if it matches none of the accepted steps. */
export function findStep(secret: string, code: string, now: Date): number | null {
  if (!isTotpCode(code)) return null
  const delta = totp(secret, '').validate({ token: plainCode(code), timestamp: now.getTime(), window: windowSteps })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta
}

/** Tells whether a text is a code of an authenticator: six digits, which apps often show in two groups. */
export function isTotpCode(code: string): boolean {
  return /^\d{6}$/.test(plainCode(code))
}

function plainCode(code: string): string {
  return code.replaceAll(' ', '')
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Posthorn',
    label,
    secret: Secret.fromBase32(secret),
    period: periodSeconds,
    digits: 6,
    algorithm: 'SHA1',
  })
}
