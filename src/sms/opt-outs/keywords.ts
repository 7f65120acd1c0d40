export type KeywordAction = 'opted_out' | 'opted_in'

const actions = new Map<string, KeywordAction>([
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'opted_out'] as const),
  ...['START', 'UNSTOP', 'YES'].map((word) => [word, 'opted_in'] as const),
])

/** What a message asks for: it is the word alone, whatever its case and the blanks around it. Null: nothing. */
export function keywordAction(body: string): KeywordAction | null {
  return actions.get(body.trim().toUpperCase()) ?? null
}
