export type KeywordAction = 'opted_out' | 'opted_in'

const actions = new Map<string, KeywordAction>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'opted_out'] as const),
  ...['START', 'UNSTOP', 'YES'].map((word) => [word, 'opted_in'] as const),
])

/**
 * Returns the action of a message that consists of a keyword alone, in any case, with any blanks around it. Null for any other
 * message.
 */
export function keywordAction(body: string): KeywordAction | null {
  return actions.get(body.trim().toUpperCase()) ?? null
}
