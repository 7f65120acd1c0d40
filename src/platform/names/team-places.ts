import { createWaitingLine, type WaitingLine } from '../waiting-line.ts'

export type TeamPlaces = {
  /** Gives what ends the stay, or null where no place became free in time or too many of the team wait already. */
  enter(teamId: string): Promise<(() => void) | null>
}

export type TeamPlacesBounds = {
  ofTeamMax: number
  ofAllMax: number
  /** The most that one team holds. */
  waitingMax: number
  waitMs: number
}

type Team = { running: number; line: WaitingLine<() => void> }

/** Lets a number of things run at a time, of each team and of all. The others wait in a line for each team; lines take turns. */
export function createTeamPlaces({ ofTeamMax, ofAllMax, waitingMax, waitMs }: TeamPlacesBounds): TeamPlaces {
  /** Only those that run or wait. The one whose turn is longest ago comes first. */
  const teams = new Map<string, Team>()
  let running = 0

  function teamOf(id: string): Team {
    const known = teams.get(id)
    if (known) return known
    const line = createWaitingLine<() => void>({ countMax: waitingMax, bytesMax: Infinity, waitMs })
    const made = { running: 0, line }
    teams.set(id, made)
    return made
  }

  function forgetIdle(id: string, team: Team): void {
    if (team.running === 0 && team.line.count === 0) teams.delete(id)
  }

  function begin(id: string, team: Team): () => void {
    team.running++
    running++
    // Its next turn is after everybody else's.
    teams.delete(id)
    teams.set(id, team)
    return () => {
      team.running--
      running--
      forgetIdle(id, team)
      goOn()
    }
  }

  function goOn(): void {
    for (const team of [...teams.values()]) {
      if (running >= ofAllMax) return
      if (team.running < ofTeamMax) team.line.take()?.()
    }
  }

  return {
    async enter(id) {
      const team = teamOf(id)
      if (team.line.count === 0 && team.running < ofTeamMax && running < ofAllMax) return begin(id, team)
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
      const giveUp = () => {
        resolve(null)
        forgetIdle(id, team)
      }
      const hasRoom = team.line.add(() => resolve(begin(id, team)), 0, giveUp)
      return hasRoom ? promise : null
    },
  }
}
