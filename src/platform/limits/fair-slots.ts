import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'

/** `leave` frees the slot and is called once. Refused are teams that reached their own limit, or that of all teams. */
export type Slot = { leave(): void } | { refused: 'team' | 'all' }

export type FairSlots = { enter(teamId: string): Promise<Slot> }

type FairSlotsLimits = {
  slotsMax: number
  /**
   * The most slots of one team. If left out, a team has at most as many as it leaves free, so that one is left for the
   * next.
   */
  teamSlotsMax?: number
  /** The most waiting work of one team. */
  teamWaitingMax?: number
  waitMs?: number
}

type Team = { running: number; queue: BoundedQueue<() => void> }

/** Lets `slotsMax` pieces of work run at a time. Each team has a separate queue, and the queues take turns. */
export function createFairSlots({
  slotsMax,
  teamSlotsMax,
  teamWaitingMax = Number.POSITIVE_INFINITY,
  waitMs,
}: FairSlotsLimits): FairSlots {
  /** Only teams whose work runs or waits, the one whose turn is longest ago first. */
  const teams = new Map<string, Team>()
  let running = 0

  function teamOf(id: string): Team {
    const known = teams.get(id)
    if (known) return known
    const queue = createBoundedQueue<() => void>({ countMax: teamWaitingMax, waitMs })
    const made = { running: 0, queue }
    teams.set(id, made)
    return made
  }

  function hasOwnSlot(team: Team): boolean {
    return team.running < (teamSlotsMax ?? slotsMax - running)
  }

  function forgetIdle(id: string, team: Team): void {
    if (team.running === 0 && team.queue.count === 0) teams.delete(id)
  }

  function begin(id: string, team: Team): Slot {
    team.running++
    running++
    // The last team in the order, since it has just had a turn.
    teams.delete(id)
    teams.set(id, team)
    return {
      leave() {
        team.running--
        running--
        forgetIdle(id, team)
        admitWaiting()
      },
    }
  }

  /** Gives slots to the teams in turn until no slot is free or no team may have another. */
  function admitWaiting(): void {
    for (let admitted = true; admitted; ) {
      admitted = false
      for (const team of [...teams.values()]) {
        if (running >= slotsMax) return
        const next = hasOwnSlot(team) ? team.queue.take() : null
        next?.()
        admitted ||= next !== null
      }
    }
  }

  return {
    async enter(id) {
      const team = teamOf(id)
      const refusal = (): Slot => ({ refused: hasOwnSlot(team) ? 'all' : 'team' })
      if (team.queue.count === 0 && hasOwnSlot(team) && running < slotsMax) return begin(id, team)
      const { promise, resolve } = Promise.withResolvers<Slot>()
      const giveUp = () => {
        resolve(refusal())
        forgetIdle(id, team)
      }
      return team.queue.add(() => resolve(begin(id, team)), 0, giveUp) ? promise : { refused: 'team' }
    },
  }
}
