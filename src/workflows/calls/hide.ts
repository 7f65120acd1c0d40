import { hidden } from '../../platform/network/hide-path.ts'

/** Names of headers whose values are secrets, such as `Authorization`, `Cookie`, `X-Api-Key` and `X-Auth-Token`. */
const secretName = /auth|token|secret|passw|cookie|credential|session|signature|api-?key|access-?key|private-?key/i

export function isSecretHeader(name: string): boolean {
  return secretName.test(name)
}

/** Replaces secret values for the history. */
export function hideHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? hidden : value]),
  )
}

/** Hides the values of all headers. Drafts may hold any JSON in place of headers. */
export function hideValues(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return hidden
  return Object.fromEntries(Object.keys(headers).map((name) => [name, hidden]))
}

/** Lists the secrets that an answer may repeat: the values, and their parts after words such as `Bearer`. */
export function secretsOf(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .filter(([name]) => isSecretHeader(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])
    .filter((secret) => secret.length >= secretLengthMin)
}

/** Shorter values are rarely secrets, and occur in answers: `X-Session: test`. */
const secretLengthMin = 8
