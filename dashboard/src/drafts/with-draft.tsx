import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type DraftOwner, dropDraft, findDraft, type KeptDraft } from '../session/kept-drafts.ts'
import { useMe } from '../session/me.ts'

/** The place in this browser of what is typed on a page and not saved. */
export type Draft = {
  owner: DraftOwner
  page: string
  /** The draft that was kept when the page was opened, or null. */
  found: KeptDraft | null
  /** True once it is forgotten. */
  isOver: boolean
  /** Keeps nothing any more, such as when the thing is deleted. */
  forget: () => void
  /** Forgets what is kept, and begins the page anew. */
  discard: () => void
}

type Props = {
  /** The name of the page or dialog, such as `templates/42`. */
  page: string
  children: (draft: Draft) => ReactNode
}

/** Shows a page on which something is written. It begins with the draft that this browser has kept of it. */
export function WithDraft({ page, children }: Props) {
  const { user, team } = useMe()
  const [round, setRound] = useState(0)
  const key = JSON.stringify([user.id, team.id, page, round])
  const owner = { userId: user.id, teamId: team.id }
  return (
    <Opened key={key} {...{ owner, page }} onDiscard={() => setRound(round + 1)}>
      {children}
    </Opened>
  )
}

function Opened({ owner, page, onDiscard, children }: Props & { owner: DraftOwner; onDiscard: () => void }) {
  const [found, setFound] = useState(() => findDraft(owner, page))
  const draft = useRef<Draft>(undefined)
  useEffect(() => {
    if (found instanceof Promise) void found.then(setFound)
  }, [found])
  if (found instanceof Promise) return null
  draft.current ??= beginDraft(owner, page, found, onDiscard)
  return children(draft.current)
}

function beginDraft(owner: DraftOwner, page: string, found: KeptDraft | null, onDiscard: () => void): Draft {
  const draft: Draft = {
    ...{ owner, page, found },
    isOver: false,
    forget: () => {
      draft.isOver = true
      dropDraft(owner, page)
    },
    discard: () => {
      draft.forget()
      onDiscard()
    },
  }
  return draft
}
