import { useBlocker } from '@tanstack/react-router'

/**
 * Steps of a person in the browser's history. Steps of the pages, such as after signing out elsewhere, are not held.
 */
const ofHistory = new Set(['BACK', 'FORWARD', 'GO'])

/** Holds the page while it shows what is shown once, so that Back cannot lose it. */
export function useHeldHistory(): void {
  useBlocker({ shouldBlockFn: ({ action }) => ofHistory.has(action), enableBeforeUnload: false })
}
