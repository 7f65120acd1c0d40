/**
 * Cuts what another party wrote to `lengthMax` UTF-16 units. Replaces NUL and lone surrogates, which PostgreSQL
 * refuses: the cut may go through a character.
 */
export function cutText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll('\0', '\ufffd').toWellFormed()
}

/** Returns the first characters of a text, `max` at most, as `maxLength` of a schema counts them. */
export function firstCharacters(text: string, max: number): string {
  return [...text].slice(0, max).join('')
}
