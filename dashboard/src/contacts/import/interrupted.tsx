import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { dropTyping, findTyping, keepTyping } from '../../session/kept-typing.ts'
import { useMe } from '../../session/me.ts'
import { countOf, number } from '../../ui/text/words.ts'
import type { Progress } from './use-import.ts'

type Interrupted = { fileName: string; done: number; rows: number }

const page = 'contacts/import'

/**
 * Keeps in this browser how far an import is, until it is finished. Returns a notice of an earlier one that a reload or
 * another page interrupted.
 */
export function useInterrupted(progress: Progress | undefined, fileName = '', rows = 0): ReactNode {
  const { user, team } = useMe()
  const owner = useMemo(() => ({ userId: user.id, teamId: team.id }), [user.id, team.id])
  const [found, setFound] = useState<Interrupted>()
  useEffect(() => {
    void Promise.resolve(findTyping(owner, page)).then((kept) => setFound(kept?.value as Interrupted | undefined))
  }, [owner])
  const { state, done } = progress ?? {}
  useEffect(() => {
    if (state === undefined || done === undefined) return
    setFound(undefined)
    if (state === 'done') dropTyping(owner, page)
    else keepTyping(owner, page, JSON.stringify({ fileName, done, rows } satisfies Interrupted))
  }, [owner, state, done, fileName, rows])
  if (!found || progress) return null
  return (
    <p role="status" className="import-interrupted">
      The import of {found.fileName} was interrupted after {number(found.done)} of {countOf(found.rows, 'row')}. Choose
      the file again to import the rest. No contact is created twice.
    </p>
  )
}
