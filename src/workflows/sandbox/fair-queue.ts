import { noteDuration } from './durations.ts'
import { beginTurn, firstOf, type Lane, newShare, type Share } from './lane.ts'

type FairQueue<T> = {
  /** Returns a function that removes the item if it still waits. */
  add(teamId: string, item: T): () => void
  /** Returns null if no waiting task may run now. A preferred team may get slightly ahead of the others. */
  take(prefers?: (teamId: string) => boolean): Taken<T> | null
  /** Removes and returns all waiting items. */
  clear(): T[]
}
export type Taken<T> = {
  teamId: string
  item: T
  /** Called once the thread is free again, after it worked for `ms`. */
  end(ms: number): void
}

type Team<T> = Share & { id: string; waiting: Set<T> }

/** How many of the teams that had work last are remembered. */
const absentMax = 10_000

/**
 * Shares threads among teams by the time they use, unlike `platform/limits/fair-slots.ts`, which counts slots. A task
 * that runs cannot be paused, so teams whose tasks take long share a slow lane that has all threads but one.
 */
export function createFairQueue<T extends object>(threads: number): FairQueue<T> {
  const teams = new Map<string, Team<T>>()
  const waiting = new Set<Team<T>>()
  const brief: Lane = { name: 'brief', clockMs: 0 }
  const slow: Lane = { name: 'slow', clockMs: 0 }
  let running = 0
  let slowRunning = 0

  function next(prefers: (team: Team<T>) => boolean): [Team<T>, Lane] | null {
    if (running === threads) return null
    // The slow lane goes first, since one thread stays for the brief lane anyway.
    const late = slowRunning < threads - 1 ? firstOf(waiting, slow, prefers) : undefined
    if (late) return [late, slow]
    const early = firstOf(waiting, brief, prefers)
    return early ? [early, brief] : null
  }

  function begin(team: Team<T>, lane: Lane): Taken<T> {
    const item: T = team.waiting.values().next().value!
    remove(team, item)
    const note = beginTurn(team, lane)
    count(team, lane, 1)
    function end(ms: number): void {
      count(team, lane, -1)
      note(ms)
      noteDuration(team.durations, ms)
      remember(team)
    }
    return { teamId: team.id, item, end }
  }

  function count(team: Team<T>, lane: Lane, by: 1 | -1): void {
    running += by
    team.running += by
    if (lane === slow) slowRunning += by
  }

  function remove(team: Team<T>, item: T): void {
    team.waiting.delete(item)
    if (team.waiting.size === 0) waiting.delete(team)
  }

  function remember(team: Team<T>): void {
    teams.delete(team.id)
    teams.set(team.id, team)
    if (teams.size <= absentMax) return
    for (const { id, running, waiting } of teams.values()) {
      if (running === 0 && waiting.size === 0) return void teams.delete(id)
    }
  }

  return {
    add(teamId, item) {
      const team = teams.get(teamId) ?? { id: teamId, waiting: new Set(), ...newShare() }
      team.waiting.add(item)
      waiting.add(team)
      remember(team)
      return () => remove(team, item)
    },
    take(prefers = () => false) {
      const found = next(({ id }) => prefers(id))
      return found && begin(...found)
    },
    clear() {
      const items = [...waiting].flatMap((team) => [...team.waiting])
      for (const team of waiting) team.waiting.clear()
      waiting.clear()
      return items
    },
  }
}
