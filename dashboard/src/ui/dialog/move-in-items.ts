import type { KeyboardEvent } from 'react'

/**
 * Moves the focus in a list of buttons by arrow keys, Home and End, and by the first letter of a button. Returns
 * whether it did.
 */
export function moveInItems(event: KeyboardEvent, items: HTMLElement[]): boolean {
  const at = items.indexOf(document.activeElement as HTMLElement)
  const goals: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }
  const goal = goals[event.key]
  if (goal !== undefined) {
    event.preventDefault()
    items.at(goal % items.length)?.focus()
    return true
  }
  if (!/^[a-z]$/i.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return false
  const later = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  later.find((item) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase()))?.focus()
  return true
}
