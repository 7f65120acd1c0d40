const hidden = '[hidden]'

/** Headers that are secrets by their names: `Authorization`, `Cookie`, `X-Api-Key`, `X-Auth-Token` and the like. */
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

/** The secrets that an answer may repeat: the values, and the part after `Bearer` and the like. */
export function secretsOf(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .filter(([name]) => isSecretHeader(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')])
    .filter((secret) => secret.length >= secretLengthMin)
}

/** Shorter than secrets are: what a header such as `X-Session: test` holds stands in many an answer. */
const secretLengthMin = 8

/** A URL whose path is the secret. */
export function hidePath(url: string): string {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? `${new URL(url).origin}/${hidden}` : hidden
}
