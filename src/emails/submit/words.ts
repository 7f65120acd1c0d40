import { decodeWords } from 'postal-mime'

/** Returns a header value as clients show it: decodes encoded words, replaces control characters and lone surrogates. */
export function decodedText(value: string): string {
  return decodeWords(value)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}
