/** A shorter secret occurs in many texts by chance. */
const secretLengthMin = 4

/** Removes secrets from an answer, since some services repeat the request. */
export function redactor(secrets: string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= secretLengthMin)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  return (text) => forms.reduce((redacted, form) => redacted.replaceAll(form, '[redacted]'), text)
}
