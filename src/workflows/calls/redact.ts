import { replaceEach } from '../conditions/includes.ts'

/** A shorter secret occurs in many texts by chance. */
const secretLengthMin = 4

/**
 * Returns a function that removes secrets from an answer, since some services repeat the request: as they are, as in
 * JSON, and percent-encoded. The time for a secret grows with the length of the text.
 */
export function createRedactor(secrets: string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= secretLengthMin)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  const different = [...new Set(forms)]
  return (text) => different.reduce((redacted, form) => replaceEach(redacted, form, '[redacted]'), text)
}
