import { useQueries } from '@tanstack/react-query'
import { allMax, allOf, isCut } from '../../api/all.ts'
import { andOf, number } from '../text/words.ts'

type Noun = 'broadcasts' | 'domains' | 'segments' | 'topics' | 'workflows'

/** Says that menus hold the newest things of a noun only, where there may be more. */
export function NewestOnly({ nouns }: { nouns: Noun[] }) {
  const lists = useQueries({ queries: nouns.map((noun) => allOf(`/v1/${noun}`)) })
  const cut = nouns.filter((_, index) => isCut(lists[index]?.data))
  if (cut.length === 0) return null
  return (
    <p className="small muted">
      Menus list the newest {number(allMax)} {andOf(cut)}.
    </p>
  )
}
