import { type ReactNode, useEffect, useRef, useState } from 'react'
import { dropTyping, findTyping, type KeptTyping, type TypingOwner } from '../session/kept-typing.ts'
import { useMe } from '../session/me.ts'

/** The place in this browser of what is typed on a page and not saved. */
export type Kept = {
  owner: TypingOwner
  page: string
  /** The values that an earlier visit kept. Null if there are none. */
  found: KeptTyping | null
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
  children: (kept: Kept) => ReactNode
}

/** Shows a page on which something is written. It begins with what this browser has kept of it. */
export function WithKept({ page, children }: Props) {
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

function Opened({ owner, page, onDiscard, children }: Props & { owner: TypingOwner; onDiscard: () => void }) {
  const [found, setFound] = useState(() => findTyping(owner, page))
  const kept = useRef<Kept>(undefined)
  useEffect(() => {
    if (found instanceof Promise) void found.then(setFound)
  }, [found])
  if (found instanceof Promise) return null
  kept.current ??= beginKept(owner, page, found, onDiscard)
  return children(kept.current)
}

function beginKept(owner: TypingOwner, page: string, found: KeptTyping | null, onDiscard: () => void): Kept {
  const kept: Kept = {
    ...{ owner, page, found },
    isOver: false,
    forget: () => {
      kept.isOver = true
      dropTyping(owner, page)
    },
    discard: () => {
      kept.forget()
      onDiscard()
    },
  }
  return kept
}
