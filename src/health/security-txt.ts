import type { App } from '../context.ts'
import { DomainError } from '../platform/errors.ts'

const dayMs = 24 * 3_600_000
/**
 * RFC 9116, section 2.5.5, recommends less than a year. Counted from midnight, so that the answer is the same all day.
 */
const validDays = 180

/**
 * Returns the contact for vulnerabilities of this installation (RFC 9116). Throws `notFound` if SECURITY_CONTACT is not
 * set.
 */
export function securityText(app: App): string {
  const { securityContact } = app.config
  if (securityContact === null)
    throw new DomainError('notFound', 'This installation has no security contact: SECURITY_CONTACT is not set.')
  const today = Math.floor(app.clock.now().getTime() / dayMs)
  const expires = new Date((today + validDays) * dayMs).toISOString()
  return [
    `Contact: ${securityContact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${app.publicUrl()}/.well-known/security.txt`,
    '',
  ].join('\n')
}
