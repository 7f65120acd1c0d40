/**
 * Splits addresses at commas, semicolons and line breaks, but not inside quotes: `"Lovelace, Ada" <ada@example.com>` is
 * one.
 */
export function splitAddresses(text: string): string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,;\n])+/g) ?? []
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
