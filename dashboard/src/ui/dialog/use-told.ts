import { useEffect } from 'react'
import { tell } from './toast.tsx'

/** While someone types, nothing is told. */
const settledMs = 500

/**
 * Tells screen readers a text once it has stood for half a second, and tells it again after another question. Null
 * tells nothing.
 */
export function useTold(text: string | null, question: string, onTold?: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same answer to another question is told, too
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(() => {
      tell(text)
      onTold?.()
    }, settledMs)
    return () => clearTimeout(timer)
  }, [text, question])
}
