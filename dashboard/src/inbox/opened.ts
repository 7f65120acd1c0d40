import { useEffect, useState } from 'react'

const keptAs = 'posthorn-opened'
/** Ours, as much as 200 kB. The messages that were opened first become unread again. */
const idsMax = 5000

/** Returns the ids of the captured emails that were opened in this browser. The current one becomes one of them. */
export function useOpened(current: string | undefined): ReadonlySet<string> {
  const [opened, setOpened] = useState(readOpened)
  useEffect(() => {
    if (current === undefined) return
    // Other tabs of this browser open messages too.
    const now = readOpened()
    now.delete(current)
    now.add(current)
    keepOpened([...now].slice(-idsMax))
    setOpened(now)
  }, [current])
  return opened
}

function readOpened(): Set<string> {
  return new Set(localStorage.getItem(keptAs)?.split(' '))
}

/** A browser without room keeps the mark until the page is loaded again. */
function keepOpened(ids: string[]): void {
  try {
    localStorage.setItem(keptAs, ids.join(' '))
  } catch {}
}
