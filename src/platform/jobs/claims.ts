import { randomUUID } from 'node:crypto'
import type { App } from '../../context.ts'
import { type Capacity, claimJobs, findNextRunAts } from './claim.ts'
import { fairTurns } from './claim-fairly.ts'
import type { Job, JobDefinition } from './job.ts'
import type { Claimed } from './looks.ts'
import type { Slots } from './slots.ts'

type Parts = {
  app: () => App
  definitions: JobDefinition[]
  slots: Slots
  keepAlive(): Promise<void>
  /** Runs claimed jobs, and returns their number. The function that `enter` returns is called when a job has ended. */
  begin<J extends Job>(jobs: J[], enter?: (job: J) => () => void): number
}

/** Returns a function that claims and begins as many due jobs of all kinds as there are free slots. */
export function createClaims({ app, definitions, slots, keepAlive, begin }: Parts): () => Promise<Claimed> {
  const turns = new Map(definitions.filter(({ fair }) => fair).map(({ kind }) => [kind, fairTurns()]))

  async function claim(): Promise<Claimed> {
    const free = slots.free()
    const kinds = free.map(({ kind }) => kind)
    const runAts = await findNextRunAts(app().db, kinds)
    const now = app().clock.now()
    const capacities = free.filter(({ kind }) => runAts.has(kind) && runAts.get(kind)! <= now)
    const count = capacities.length > 0 ? await claimDue(capacities) : 0
    // A team that uses its share gets its next jobs when these have ended, so a fair kind is never blocked.
    const isBlocked = count === 0 && capacities.some(({ kind }) => !turns.has(kind))
    const later = [...runAts.values()].map((runAt) => runAt.getTime()).filter((time) => time > now.getTime())
    return { count, isBlocked, nextRunAt: later.length > 0 ? new Date(Math.min(...later)) : null }
  }

  /**
   * Begins jobs as soon as they are claimed: if the next claim fails, they would otherwise wait until their lease runs
   * out.
   */
  async function claimDue(capacities: Capacity[]): Promise<number> {
    // After the process was suspended, its leases look expired, and it would claim jobs that it still runs.
    await keepAlive()
    const leaseToken = randomUUID()
    const plain = capacities.filter(({ kind }) => !turns.has(kind))
    let count = plain.length > 0 ? begin(await claimJobs(app(), plain, leaseToken)) : 0
    for (const capacity of capacities) {
      const fair = turns.get(capacity.kind)
      if (fair) count += begin(await fair.claim(app(), capacity, leaseToken), fair.enter)
    }
    slots.notePeaks(capacities.map(({ kind }) => kind))
    return count
  }

  return claim
}
