import { queryOptions } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { get, post } from '../../api/request.ts'
import type { Broadcast } from '../broadcast.ts'
import { type Draft, draftOf, nameOfCopy } from './draft.ts'

/** The query of the draft that begins as a copy of a broadcast. It does not follow later changes of the original. */
export const copyOf = (id: string) =>
  queryOptions({
    queryKey: keys.part('broadcasts/copy', 'draft', { id }),
    queryFn: async ({ signal }): Promise<Draft> => {
      const broadcast = await get('/v1/broadcasts/:id', { id }, { signal })
      const name = nameOfCopy(broadcast.name)
      const text = (await isTextMade(broadcast, signal)) ? '' : (broadcast.text ?? '')
      return { ...draftOf(broadcast), name, text, scheduledAt: '' }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/**
 * Tells whether the text is the one that the server makes from the HTML. The copy then leaves it out, so that it is
 * made again from the HTML as it will be.
 */
async function isTextMade({ subject, html, text }: Broadcast, signal: AbortSignal): Promise<boolean> {
  if (!html || !text) return false
  const render = (own: string | null) =>
    post('/v1/previews', { body: { kind: 'broadcast', subject, html, text: own } }, { signal })
  const [made, written] = await Promise.all([render(null), render(text)])
  return made.text === written.text
}
