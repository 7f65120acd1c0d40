export type FairQueue<T> = {
  add(teamId: string, item: T): void
  /** The next team's oldest: each team has its turn, however much one of them has waiting. */
  take(): { teamId: string; item: T } | null
}

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns. */
  const teams = new Map<string, T[]>()
  return {
    add(teamId, item) {
      const items = teams.get(teamId)
      if (items) items.push(item)
      else teams.set(teamId, [item])
    },
    take() {
      const next = teams.entries().next()
      if (next.done) return null
      const [teamId, items] = next.value
      teams.delete(teamId)
      const item = items.shift()!
      if (items.length > 0) teams.set(teamId, items)
      return { teamId, item }
    },
  }
}
