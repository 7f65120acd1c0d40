import type { Posts } from '../api/endpoints.ts'
import { Refusal } from '../api/refusal.ts'
import { sentence } from '../ui/text/words.ts'
import { canonical, type Graph, type Step, stepOf } from './graph/graph.ts'
import type { Schema } from './settings/schema.ts'

/** A fault as the server names it, and the graph that it was found in, which is not saved if it was refused for it. */
type Fault = Posts['/v1/workflows/:id/check']['answer']['faults'][number]
export type Checked = { faults: Fault[]; graph: Graph; isRefused?: boolean }

/**
 * A fault at a step. `field` is its place in the config, or null if it concerns the step's name or the step as a whole.
 */
export type StepFault = { stepId: string | null; field: string | null; isName: boolean; message: string }

/** Returns the faults for which a graph was refused. Null for another failure, or if one of them is at no step. */
export function faultsOfRefusal(error: unknown, { nodes }: Graph): Fault[] | null {
  if (!(error instanceof Refusal) || error.faults.length === 0) return null
  const faults = error.faults.map(({ path, message }) => {
    const index = Number(/^nodes\[(\d+)\]\./.exec(path)?.[1])
    return { nodeId: nodes[index]?.id ?? null, path, message }
  })
  return faults.every(({ nodeId }) => nodeId !== null) ? faults : null
}

/** Returns the faults that still stand: not those of steps, names, settings or connections that were changed since. */
export function standingFaults(checked: Checked | null, now: Graph): StepFault[] {
  if (checked === null) return []
  const isRewired = canonical(wiringOf(checked.graph)) !== canonical(wiringOf(now))
  return checked.faults.flatMap(({ nodeId, path, message }) => {
    const field = /^nodes\[\d+\]\.config\.?(.*)$/.exec(path)?.[1] ?? null
    const isName = /^nodes\[\d+\]\.name$/.test(path)
    const fault = { stepId: nodeId, field, isName, message: message.replace(/ \(node "[^"]*"\)$/, '') }
    if (nodeId === null || (field === null && !isName)) return isRewired ? [] : [fault]
    const [before, after] = [stepOf(checked.graph, nodeId), stepOf(now, nodeId)]
    if (field === null) return before?.name === after?.name ? [fault] : []
    return before && after && isSameField(before, after, field) ? [fault] : []
  })
}

function wiringOf({ nodes, connections }: Graph) {
  return [nodes.map(({ id }) => id), connections]
}

function isSameField(before: Step, after: Step, field: string): boolean {
  const top = field.split(/[.[]/)[0]!
  const partOf = ({ config }: Step) => (top === '' ? config : config[top])
  return canonical([partOf(before)]) === canonical([partOf(after)])
}

/** Returns a fault in words, with the title of the field that it is at. */
export function wordsOfFault({ field, isName, message }: StepFault, schema: Schema | undefined): string {
  if (isName) return `Name ${message}`
  return field ? `${schema?.properties?.[field]?.title ?? sentence(field)} ${message}` : message
}
