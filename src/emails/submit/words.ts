import { decodeWords } from 'postal-mime'
import { wordsInUtf8 } from '../mime/source/words-in-utf8.ts'

/**
 * Returns a header value as clients show it: decodes encoded words, replaces control characters and lone surrogates.
 */
export function decodedText(value: string): string {
  return decodeWords(wordsInUtf8(value))
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}
