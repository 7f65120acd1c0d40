import type { Option } from '../../ui/form/field.tsx'
import type { StepTypes } from '../workflow.ts'
import type { Graph, Step } from './graph.ts'

/** The name of a step, or the title of its type where it has none. */
export function nameOfStep({ name, type }: Step, types: StepTypes): string {
  return name.trim() || (types.get(type)?.title ?? type)
}

/** The name of a step among the others of its graph: with its id where several have the name. */
export function ownNameOfStep(step: Step, { nodes }: Graph, types: StepTypes): string {
  const name = nameOfStep(step, types)
  const isShared = nodes.some((other) => other.id !== step.id && nameOfStep(other, types) === name)
  return isShared ? `${name} (${step.id})` : name
}

/** Steps of a graph to choose from. */
export function stepOptions(steps: Step[], graph: Graph, types: StepTypes): Option[] {
  return steps.map((step) => ({ value: step.id, label: ownNameOfStep(step, graph, types) }))
}
