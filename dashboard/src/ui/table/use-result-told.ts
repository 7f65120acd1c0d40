import { useState } from 'react'
import type { List } from '../../api/list.ts'
import { useTold } from '../dialog/use-told.ts'
import { countOf } from '../text/words.ts'

/**
 * Tells screen readers what another search or filter of a list has left. Rows that come or go later are not told: a
 * busy list would never be silent.
 */
export function useResultTold(list: List<unknown>, noun = 'row'): void {
  const [told, setTold] = useState(list.question)
  const isAnswered = list.question !== told && !list.isFetching
  useTold(isAnswered ? wordsOf(list, noun) : null, list.question, () => setTold(list.question))
}

/** Null while there are no rows because they could not be fetched. */
function wordsOf({ rows, total, hasMore }: List<unknown>, noun: string): string | null {
  if (rows === undefined) return null
  if (rows.length === 0) return 'Nothing matches.'
  if (total !== undefined) return countOf(total, noun)
  return `${hasMore ? 'More than ' : ''}${countOf(rows.length, noun)}`
}
