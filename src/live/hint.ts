/** Ids of what changed, by noun. No ids mean that anything of the noun may have changed. */
export type Hint = Record<string, string[]>

/** The hints of teams that wait to be sent. Null in place of ids means all of the noun. */
export type Waiting = Map<string, Map<string, Set<string> | null>>

/** More ids than a page shows say no more than none. */
const idsMax = 100

export function addHint(waiting: Waiting, teamId: string, noun: string, ids: readonly string[]): void {
  const nouns = waiting.get(teamId) ?? new Map<string, Set<string> | null>()
  waiting.set(teamId, nouns)
  const known = nouns.get(noun)
  if (known === null) return
  const all = known ?? new Set()
  for (const id of ids) all.add(id)
  nouns.set(noun, ids.length === 0 || all.size > idsMax ? null : all)
}

/** Returns the hints of these teams as one; null if there are none. */
export function hintFor(waiting: Waiting, teamIds: readonly string[]): Hint | null {
  const joined: Waiting = new Map()
  for (const teamId of teamIds) {
    for (const [noun, ids] of waiting.get(teamId) ?? []) addHint(joined, '', noun, ids === null ? [] : [...ids])
  }
  const nouns = joined.get('')
  return nouns ? Object.fromEntries([...nouns].map(([noun, ids]) => [noun, [...(ids ?? [])]])) : null
}
