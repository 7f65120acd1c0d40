import { decodeWords } from 'postal-mime'

/** A header value as a reader sees it: encoded words decoded, control characters and what is no text replaced. */
export function decodedText(value: string): string {
  return decodeWords(value)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}
