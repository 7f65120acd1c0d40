type Properties = Record<string, unknown>

/** Returns `theirs` with what was added, changed and removed from `before` to `mine`. */
export function joinProperties(before: Properties, mine: Properties, theirs: Properties): Properties {
  const kept = Object.entries(theirs).filter(([name]) => !Object.hasOwn(before, name) || Object.hasOwn(mine, name))
  const changed = Object.entries(mine).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
  return Object.fromEntries([...kept, ...changed])
}
