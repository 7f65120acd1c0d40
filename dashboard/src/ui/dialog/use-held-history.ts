import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * Steps of a person in the browser's history. Steps of the pages, such as after signing out elsewhere, are not held.
 */
const ofHistory = new Set(['BACK', 'FORWARD', 'GO'])

/** Holds the page while it shows what is shown once, so that Back cannot lose it. */
export function useHeldHistory(isHeld = true): void {
  useBlocker({
    shouldBlockFn: ({ action }) => ofHistory.has(action),
    enableBeforeUnload: false,
    disabled: !isHeld,
  })
}

export type HeldAnswer = <T>(answer: Promise<T>) => Promise<T>

/**
 * Returns how to wait for an answer whose content is shown once, such as a new key. Back does not leave the page
 * meanwhile: the key would be made and never shown. Use it in the part that shows the answer, which stays where a
 * dialog is closed.
 */
export function useHeldAnswer(): HeldAnswer {
  const [underWay, setUnderWay] = useState(0)
  useHeldHistory(underWay > 0)
  return async <T>(answer: Promise<T>) => {
    setUnderWay((count) => count + 1)
    try {
      return await answer
    } finally {
      setUnderWay((count) => count - 1)
    }
  }
}
