import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
/** Decided: codes are accepted one step early or late. */
const windowSteps = 1

/** 160 random bits, as RFC 4226 recommends (section 4), in Base32. */
export function generateSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an authenticator app reads from the QR code. */
export function otpauthUrl(secret: string, account: string): string {
  return totp(secret, account).toString()
}

/** The time step whose code this is, or null. */
export function findStep(secret: string, code: string, now: Date): number | null {
  if (!isTotpCode(code)) return null
  const delta = totp(secret, '').validate({ token: plainCode(code), timestamp: now.getTime(), window: windowSteps })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / periodSeconds) + delta
}

/** Six digits, as apps show them: often in two groups. */
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
