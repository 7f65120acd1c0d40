import { createWaitingLine } from './waiting-line.ts'

export type Turnstile = {
  /** Gives what ends the stay, or null where no place became free in time or too many wait already. */
  enter(sizeBytes: number): Promise<(() => void) | null>
}

export type TurnstileBounds = { runningMax: number; waitingMax: { count: number; bytes: number }; waitMs: number }

/** Lets a number of sends run at a time; the others wait in order, and not for ever. */
export function createTurnstile({ runningMax, waitingMax, waitMs }: TurnstileBounds): Turnstile {
  const line = createWaitingLine<() => void>({ countMax: waitingMax.count, bytesMax: waitingMax.bytes, waitMs })
  let running = 0
  /** Whoever leaves hands its place over, so `running` stays as it is. */
  function leave() {
    const next = line.take()
    if (next) next()
    else running--
  }
  return {
    async enter(sizeBytes) {
      if (running < runningMax) {
        running++
        return leave
      }
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
      const hasRoom = line.add(
        () => resolve(leave),
        sizeBytes,
        () => resolve(null),
      )
      return hasRoom ? promise : null
    },
  }
}
