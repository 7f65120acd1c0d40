import type { Branch, Graph, Step } from './graph.ts'

/** A line of the outline. `from` are the steps that lead to the step, `via` their branches. */
type OutlineStep = { step: Step; depth: number; from: string[]; via: Branch[] }

/**
 * Returns the steps in the order in which they run, path by path. A step where paths meet comes after all of them, and
 * steps of a circle come last. `depth` grows where a path parts into several.
 */
export function outlineOf({ nodes, connections }: Graph): OutlineStep[] {
  const outgoing = Map.groupBy(connections, ({ source }) => source)
  const incoming = Map.groupBy(connections, ({ target }) => target)
  const byId = new Map(nodes.map((step) => [step.id, step]))
  const depths = new Map<string, number>()
  const lines: OutlineStep[] = []
  const place = (step: Step) => {
    const lead = incoming.get(step.id) ?? []
    const depthsBefore = lead.map(
      ({ source }) => (depths.get(source) ?? 0) + ((outgoing.get(source)?.length ?? 0) > 1 ? 1 : 0),
    )
    const depth = Math.max(0, Math.min(...(lead.length > 0 ? depthsBefore : [0])) - (lead.length > 1 ? 1 : 0))
    depths.set(step.id, depth)
    lines.push({ step, depth, from: lead.map(({ source }) => source), via: lead.flatMap(({ branch }) => branch ?? []) })
  }
  // A stack of its own: a chain of 200 steps would nest as deep.
  const visit = (first: Step) => {
    const waiting = [first]
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      if (depths.has(step.id)) continue
      place(step)
      const next = (outgoing.get(step.id) ?? []).toSorted(byBranch).map(({ target }) => byId.get(target))
      const ready = next.filter((one) => one && (incoming.get(one.id) ?? []).every(({ source }) => depths.has(source)))
      waiting.push(...(ready as Step[]).reverse())
    }
  }
  for (const step of nodes) if (!incoming.has(step.id)) visit(step)
  for (const step of nodes) if (!depths.has(step.id)) visit(step)
  return lines
}

/** The path *true* comes before *false*. */
export function byBranch(one: { branch: Branch | null }, other: { branch: Branch | null }): number {
  return (other.branch ?? '').localeCompare(one.branch ?? '')
}
