export type KeywordAction = 'opted_out' | 'opted_in'

const stopWords = ['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'ARRET']
const optOutWords = ['OPTOUT', 'OPT OUT', 'OPT-OUT']

const actions = new Map<string, KeywordAction>([
  ...[...stopWords, ...optOutWords].map((word) => [word, 'opted_out'] as const),
  ...['START', 'UNSTOP', 'YES'].map((word) => [word, 'opted_in'] as const),
])

/** Blanks, quotes and marks that people write around a word. */
const around = String.raw`[\s\p{Quotation_Mark}\u0060\u00b4.!,;]*`
const trimmed = new RegExp(`^${around}|${around}$`, 'gu')

/**
 * Returns the action of a message that consists of a keyword alone, in any case and with or without accents, with any
 * blanks, quotes and `. ! , ;` around it. Invisible characters, such as marks of direction, do not count. Null
 * for any other message.
 */
export function keywordAction(body: string): KeywordAction | null {
  // No keyword is longer, even with marks around it; a text of any length costs the same.
  if (body.length > keywordMax) return null
  const word = body
    .normalize('NFKD')
    .replace(/[\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(trimmed, '')
  return (
    actions.get(
      word
        .replace(/\s+/g, ' ')
        .replace(/\p{Dash}/gu, '-')
        .toUpperCase(),
    ) ?? null
  )
}

const keywordMax = 200
