import { ancestorsOf, type Graph, stepOf } from '../graph/graph.ts'
import type { StepTypes } from '../workflow.ts'
import type { Schema } from './schema.ts'

/** A value that a text may name between `{{` and `}}`. `from` is the step that gives it. */
export type Offer = { path: string; from: string }

/** Returns the values that a step may name: of the trigger, of the steps before it, and the variables of a run. */
export function offersFor(graph: Graph, id: string, types: StepTypes): Offer[] {
  const before = ancestorsOf(graph, id)
  const offers = graph.nodes
    .filter((step) => before.has(step.id))
    .flatMap((step) => {
      const type = types.get(step.type)
      const root = type?.kind === 'trigger' ? 'trigger' : `node_${step.id}`
      return pathsIn(root, type?.outputSchema ?? {}).map((path) => ({ path, from: step.name }))
    })
  const isTrigger = types.get(stepOf(graph, id)?.type ?? '')?.kind === 'trigger'
  return isTrigger ? [] : [...offers, { path: 'vars.', from: 'Variables of a run' }]
}

/**
 * Lists the paths of the values in an output. A path that ends in a point is written on, since the schema leaves open
 * what is there.
 */
function pathsIn(path: string, { type, properties = {} }: Schema): string[] {
  const members = Object.entries(properties)
  if (members.length > 0) return members.flatMap(([name, member]) => pathsIn(`${path}.${name}`, member))
  const isOpen = type === undefined || [type].flat().includes('object')
  return [isOpen ? `${path}.` : path]
}

/** Returns what was typed after the last open `{{`, or undefined. */
export function typedAfterBraces(before: string): string | undefined {
  return /\{\{([^{}\n]{0,100})$/.exec(before)?.[1]
}

/** Returns the offers that hold what was typed. */
export function offersMatching(offers: Offer[], typed: string): Offer[] {
  const wanted = typed.trim().toLowerCase()
  return offers.filter(({ path, from }) => path.toLowerCase().includes(wanted) || from.toLowerCase().includes(wanted))
}

/** Returns the text that takes the place of `{{typed`. A path that is written on stays open. */
export function textOfOffer({ path }: Offer): string {
  return path.endsWith('.') ? `{{${path}` : `{{${path}}}`
}
