import type { EdgeLabel, GraphLabel, Graph as Layout, NodeLabel, OrderConstraint } from '@dagrejs/dagre'

type Ranked = Layout<GraphLabel, NodeLabel, EdgeLabel>

/**
 * Orders the steps of each row in the order in which their paths are walked. Workflows are drawn without crossings by
 * that nearly always, in a fifth of the time that the library takes to look for the best order. Returns false if
 * connections cross, or if a step is not on its side.
 */
export function orderByPaths(ranked: Ranked, sides: OrderConstraint[]): boolean {
  const rows = rowsOf(ranked)
  for (const row of rows) for (const [at, id] of row.entries()) ranked.node(id).order = at
  const isOnSide = ({ left, right }: OrderConstraint) => {
    const [one, other] = [ranked.node(left), ranked.node(right)]
    return one.rank !== other.rank || one.order! < other.order!
  }
  return sides.every(isOnSide) && !rows.some((row) => isCrossing(ranked, row))
}

function rowsOf(ranked: Ranked): string[][] {
  const rows: string[][] = []
  const seen = new Set<string>()
  const rankOf = (id: string) => ranked.node(id).rank ?? 0
  for (const root of ranked.nodes().toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const waiting = [root]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      rows[rankOf(id)] ??= []
      rows[rankOf(id)]!.push(id)
      waiting.push(...(ranked.successors(id) ?? []).toReversed())
    }
  }
  return rows.filter(Boolean)
}

/** Tells whether connections to the next row cross each other. */
function isCrossing(ranked: Ranked, row: string[]): boolean {
  let furthest = -1
  for (const id of row) {
    const goals = (ranked.successors(id) ?? []).map((goal) => ranked.node(goal).order!)
    if (Math.min(...goals) < furthest) return true
    furthest = Math.max(furthest, ...goals)
  }
  return false
}
