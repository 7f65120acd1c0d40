import { useEffect, useMemo, useState } from 'react'
import type { Graph } from '../graph/graph.ts'
import { inColumn, isUnplaced, tidy } from './layout.ts'

/** The graph with a place for each step. Undefined while places are sought for one that has none. */
export function usePlaced(graph: Graph): Graph | undefined {
  const [tidied, setTidied] = useState<Graph>()
  const column = useMemo(() => (isUnplaced(graph) ? inColumn(graph) : null), [graph])
  const needsPlaces = !column && isUnplaced(graph)
  useEffect(() => {
    if (!needsPlaces) return
    let isGone = false
    void tidy(graph).then((placed) => !isGone && setTidied(placed))
    return () => {
      isGone = true
    }
  }, [graph, needsPlaces])
  return useMemo(
    () => column ?? (needsPlaces ? tidied && placeLike(graph, tidied) : graph),
    [column, graph, needsPlaces, tidied],
  )
}

/** Takes over the places of another graph's steps. */
export function placeLike(graph: Graph, other: Graph): Graph {
  const places = new Map(other.nodes.map(({ id, position }) => [id, position]))
  return { ...graph, nodes: graph.nodes.map((step) => ({ ...step, position: places.get(step.id) ?? step.position })) }
}
