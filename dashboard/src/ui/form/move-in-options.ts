import type { KeyboardEvent } from 'react'

/** Returns the option that the arrow keys lead to from `at`. Other keys are left to the field. */
export function moveInOptions(event: KeyboardEvent, at: number, count: number): number {
  const goals: Record<string, number> = {
    ArrowDown: at + 1 >= count ? 0 : at + 1,
    ArrowUp: at <= 0 ? count - 1 : at - 1,
    PageDown: Math.min(at + 10, count - 1),
    PageUp: Math.max(at - 10, 0),
  }
  const goal = goals[event.key]
  if (goal === undefined) return at
  event.preventDefault()
  return goal
}
