import type { App } from '../../../context.ts'
import { createFairSlots } from '../../../platform/limits/fair-slots.ts'
import { perApp } from '../../../platform/per-app.ts'

/** The nodes that one process runs at the same time; most of them wait for an answer from outside. */
const slotsOf = perApp(() => createFairSlots({ slotsMax: 500 }))

/** Waits for a slot to run a node of the team in. Resolves to a function that frees the slot, to be called once. */
export async function takeSlot(app: App, teamId: string): Promise<() => void> {
  const slot = await slotsOf(app).enter(teamId)
  // The number of nodes that wait is bounded by the executions that the process holds.
  if ('refused' in slot) throw new Error('A node was refused a slot, although any number may wait.')
  return slot.leave
}
