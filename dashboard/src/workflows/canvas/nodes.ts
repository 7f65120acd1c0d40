import { type Edge, MarkerType, type NodeHandle, Position } from '@xyflow/react'
import { countOf } from '../../ui/text/words.ts'
import type { Graph } from '../graph/graph.ts'
import { nameOfStep } from '../graph/names.ts'
import type { StepType, StepTypes } from '../workflow.ts'
import { stepHeight, stepWidth } from './layout.ts'
import type { StepNode } from './step-node.tsx'

type Shown = {
  types: StepTypes
  selected: string | undefined
  faults?: ReadonlyMap<string, number> | undefined
  states?: ReadonlyMap<string, string> | undefined
  isReadOnly: boolean
}

/**
 * The steps as nodes of the canvas. All have the size of the style sheet: the library fits the drawing only when it
 * knows the size of every node, and draws those in sight only.
 */
export function nodesOf(
  graph: Graph,
  { types, selected, faults, states, isReadOnly }: Shown,
  before: StepNode[],
): StepNode[] {
  const known = new Map(before.map((node) => [node.id, node]))
  return graph.nodes.map((step) => {
    const { id, type, position } = step
    const kind = types.get(type)
    const title = kind?.title ?? type
    const name = nameOfStep(step, types)
    const faultCount = faults?.get(id) ?? 0
    const state = states?.get(id)
    return {
      ...known.get(id),
      id,
      type: 'step',
      position,
      measured: { width: stepWidth, height: stepHeight },
      handles: handlesOf(kind),
      selected: id === selected,
      ariaLabel: [name, state, faultCount > 0 && countOf(faultCount, 'fault')].filter(Boolean).join(', '),
      data: {
        name,
        title,
        isTrigger: kind?.kind === 'trigger',
        branches: kind?.branches ?? [],
        faultCount,
        state,
        isReadOnly,
      },
    }
  })
}

const handlePx = 9
/** Parts of the width at which the handles of the branches stand. The style sheet has the same. */
const branchPlaces: Record<string, number> = { true: 0.3, false: 0.7 }

/** Where the handles are, so that connections of steps out of sight need no measuring. */
function handlesOf(kind: StepType | undefined): NodeHandle[] {
  const at = (part: number, y: number) => ({
    x: stepWidth * part - handlePx / 2,
    y: y - handlePx / 2,
    width: handlePx,
    height: handlePx,
  })
  const branches = kind?.branches ?? []
  const sources =
    branches.length === 0
      ? [{ ...at(0.5, stepHeight) }]
      : branches.map((id) => ({ id, ...at(branchPlaces[id] ?? 0.5, stepHeight) }))
  return [
    ...(kind?.kind === 'trigger' ? [] : [{ type: 'target' as const, position: Position.Top, ...at(0.5, 0) }]),
    ...sources.map((source) => ({ type: 'source' as const, position: Position.Bottom, ...source })),
  ]
}

export function edgesOf({ connections }: Graph): Edge[] {
  return connections.map(({ id, source, target, branch }) => ({
    id,
    source,
    target,
    type: 'smoothstep',
    ...(branch && { sourceHandle: branch, label: branch }),
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: 'var(--edge)' },
  }))
}
