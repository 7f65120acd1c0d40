import type { Keyring } from '../keyring.ts'

/** The person of a request: addresses and numbers in every form that rows may hold, in lower case. */
export type Person = { texts: string[] }

/** The text in place of an address that was erased. */
export const erased = 'erased'

/**
 * Returns a regular expression for PostgreSQL (`~*`) that matches the person's addresses and numbers as whole ones: that of
 * `ada@example.com` does not match in `nada@example.com` or `ada@example.community`.
 */
export function patternOf({ texts }: Person): string {
  const escaped = texts.map((text) => text.replaceAll(/[^\p{L}\p{N}@_-]/gu, (letter) => `\\${letter}`))
  return `(^|[^[:alnum:]._%+-])(${escaped.join('|')})($|[^[:alnum:].-]|\\.($|[^[:alnum:]]))`
}

/** Returns the keyed hash by which an erased address or number is known again. `text` is normalized. */
export function erasedForm(keyring: Keyring, text: string): string {
  return `${erased}:${keyring.sign(erased, text, 24).toString('base64url')}`
}
