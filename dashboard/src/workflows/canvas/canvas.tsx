import {
  applyNodeChanges,
  type Connection,
  type Edge,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react'
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { Loading } from '../../ui/frame/states.tsx'
import { changeStep, connect, possibleTargets, removeStep } from '../graph/edit.ts'
import type { Graph, Place, Step } from '../graph/graph.ts'
import { outlineOf } from '../graph/outline.ts'
import type { StepTypes } from '../workflow.ts'
import { isUnplaced, tidy } from './layout.ts'
import { edgesOf, nodesOf } from './nodes.ts'
import { StepBox, type StepNode } from './step-node.tsx'
import { CanvasTools, fit } from './tools.tsx'
import { placeLike, usePlaced } from './use-placed.ts'

type Props = {
  graph: Graph
  types: StepTypes
  selected: string | undefined
  onSelect: (id: string | undefined) => void
  /** Without it, the canvas shows and does not change. */
  onEdit?: ((to: (graph: Graph) => Graph, kind?: string) => void) | undefined
  faults?: ReadonlyMap<string, number>
  states?: ReadonlyMap<string, string>
}

/** A graph with more steps than this begins at the selected step or the trigger, where it can be read. */
const wholeMax = 10
/** The steps that are in sight then. */
const firstMany = 4

/** A size to begin with, so that only steps in sight are drawn before the canvas is measured. */
const usualSize = { width: 440, height: 640 }

const nodeTypes = { step: StepBox }

/** The graph as a drawing. Whatever is done here can be done in the outline too. */
export default function Canvas(props: Props) {
  const placed = usePlaced(props.graph)
  if (!placed) return <Loading lines={4} />
  const { selected, types } = props
  const isTrigger = ({ type }: Step) => types.get(type)?.kind === 'trigger'
  return (
    <ReactFlowProvider
      initialNodes={nodesOf(placed, { ...props, isReadOnly: !props.onEdit }, [])}
      initialEdges={edgesOf(placed)}
      initialWidth={usualSize.width}
      initialHeight={usualSize.height}
      fitView
      initialFitViewOptions={firstFit(placed, selected, isTrigger)}
    >
      <Drawing {...props} placed={placed} />
    </ReactFlowProvider>
  )
}

function Drawing(props: Props & { placed: Graph }) {
  const { graph, types, selected, onSelect, onEdit } = props
  const isReadOnly = onEdit === undefined
  const { nodes, change } = useNodes(props)
  const edges = useMemo(() => edgesOf(graph), [graph])
  const isTrigger = ({ type }: Step) => types.get(type)?.kind === 'trigger'
  function removeByKey(event: KeyboardEvent) {
    // The address, which `selected` comes from, may not follow yet when the keys of choosing and removing come at once.
    const chosen = nodes.find((node) => node.selected)?.id
    if (!onEdit || !chosen || (event.key !== 'Delete' && event.key !== 'Backspace')) return
    onEdit((now) => removeStep(now, chosen))
    onSelect(undefined)
  }
  async function tidyUp() {
    const tidied = await tidy(graph)
    onEdit?.((now) => placeLike(now, tidied))
  }
  return (
    <section aria-label="Canvas" className="canvas" onKeyDown={removeByKey}>
      <CanvasTools {...(onEdit && { onTidy: tidyUp })} />
      <div className="canvas-paper">
        <ReactFlow
          {...unused}
          aria-label="Workflow graph"
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodesChange={change}
          onConnect={(connection) => onEdit?.((now) => connect(now, fromOf(connection), connection.target))}
          isValidConnection={(one) =>
            possibleTargets(graph, fromOf(one), isTrigger).some(({ id }) => id === one.target)
          }
          onPaneClick={() => onSelect(undefined)}
          nodesDraggable={!isReadOnly}
          nodesConnectable={!isReadOnly}
          onlyRenderVisibleElements
          minZoom={0.2}
          maxZoom={2}
          fitView
          fitViewOptions={firstFit(graph, selected, isTrigger)}
        />
      </div>
    </section>
  )
}

/** Ways of the library that the page has its own for, or does without. */
const unused = {
  edgesFocusable: false,
  elevateNodesOnSelect: false,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  preventScrolling: false,
} as const

/** The steps as the library draws them, and what becomes of its changes to them. */
function useNodes({ placed, types, selected, onSelect, onEdit, faults, states }: Props & { placed: Graph }) {
  const isReadOnly = onEdit === undefined
  const [nodes, setNodes] = useState(() => nodesOf(placed, { types, selected, faults, states, isReadOnly }, []))
  useEffect(() => {
    setNodes((before) => nodesOf(placed, { types, selected, faults, states, isReadOnly }, before))
  }, [placed, types, selected, faults, states, isReadOnly])

  function change(changes: NodeChange<StepNode>[]) {
    setNodes((before) => applyNodeChanges(changes, before))
    // Moves by keyboard and the end of a drag. The steps between are drawn alone.
    const moves = changes.flatMap((one) => (one.type === 'position' && !one.dragging && one.position ? [one] : []))
    if (moves.length > 0) {
      const kind = `move ${moves.map(({ id }) => id).join(' ')}`
      onEdit?.((now) => {
        const start = isUnplaced(now) ? placeLike(now, placed) : now
        return moves.reduce((all, { id, position }) => changeStep(all, id, { position: position! }), start)
      }, kind)
    }
    const chosen = changes.find((one) => one.type === 'select' && one.selected)
    if (chosen?.type === 'select' && chosen.id !== selected) onSelect(chosen.id)
  }
  return { nodes, change }
}

function fromOf({ source, sourceHandle: handle }: Connection | Edge): Place {
  return { id: source, branch: handle === 'true' || handle === 'false' ? handle : null }
}

/** The part of the graph that is in sight at first. */
function firstFit(graph: Graph, selected: string | undefined, isTrigger: (step: Step) => boolean) {
  if (graph.nodes.length <= wholeMax) return fit
  const inOrder = outlineOf(graph).map(({ step }) => step)
  const isFirst = (step: Step) => (selected ? step.id === selected : isTrigger(step))
  const start = Math.max(0, inOrder.findIndex(isFirst))
  return { ...fit, maxZoom: 0.8, minZoom: 0.6, nodes: inOrder.slice(start, start + firstMany) }
}
