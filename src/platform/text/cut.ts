/**
 * Cuts what another party wrote to `lengthMax` UTF-16 units. Replaces NUL and lone surrogates, which PostgreSQL
 * refuses: the cut may go through a character.
 */
export function cutText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll('\0', '\ufffd').toWellFormed()
}
