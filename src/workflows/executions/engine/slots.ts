import type { App } from '../../../context.ts'

/** Nodes under way side by side in one process. */
const slotsMax = 500

export type Slots = {
  /** Calls `begin` once there is a place, at once if there is one; it calls what it is given when the place is free again. */
  take(teamId: string, begin: (leave: () => void) => void): void
}

/**
 * Slots that teams share. A team has at most as many as it leaves free, so that another team always finds one. Teams that wait
 * take turns.
 */
export function createSlots(max: number): Slots {
  const held = new Map<string, number>()
  const lines = new Map<string, (() => void)[]>()
  let free = max
  let isAdmitting = false
  let again = false

  function enter(teamId: string, begin: (leave: () => void) => void): void {
    free--
    held.set(teamId, (held.get(teamId) ?? 0) + 1)
    begin(() => {
      free++
      const left = held.get(teamId)! - 1
      if (left > 0) held.set(teamId, left)
      else held.delete(teamId)
      admit()
    })
  }

  function mayEnter(teamId: string): boolean {
    return (held.get(teamId) ?? 0) < free
  }

  /** A loop instead of a recursion: thousands may enter and leave at once. */
  function admit(): void {
    again = true
    if (isAdmitting) return
    isAdmitting = true
    while (again) {
      again = false
      admitEach()
    }
    isAdmitting = false
  }

  function admitEach(): void {
    // A team that is put back at the end has another turn.
    for (const [teamId, line] of lines) {
      if (free === 0) return
      if (!mayEnter(teamId)) continue
      lines.delete(teamId)
      const next = line.shift()!
      if (line.length > 0) lines.set(teamId, line)
      next()
    }
  }
  return {
    take(teamId, begin) {
      const line = lines.get(teamId)
      if (line) line.push(() => enter(teamId, begin))
      else if (mayEnter(teamId)) enter(teamId, begin)
      else lines.set(teamId, [() => enter(teamId, begin)])
    },
  }
}

const slots = new WeakMap<App, Slots>()

/** The slots of all nodes that this process runs. */
export function slotsOf(app: App): Slots {
  const its = slots.get(app) ?? createSlots(slotsMax)
  slots.set(app, its)
  return its
}
