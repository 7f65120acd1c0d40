/** A shorter secret occurs in any text and is easy to guess. */
const secretLengthMin = 4

/** Some services repeat what they were sent: a secret stays out of what is kept of their answers. */
export function redactor(secrets: string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= secretLengthMin)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  return (text) => forms.reduce((redacted, form) => redacted.replaceAll(form, '[redacted]'), text)
}
