import { callApi, type Parts } from './with-posthorn.ts'

export type Step = { id: string; type: string; config: Record<string, unknown> }
export type MadeWorkflow = { id: string; steps: number }

/**
 * Makes an active workflow: a manual trigger, then these nodes in order. After a condition it follows the true branch.
 */
export async function makeWorkflow(parts: Pick<Parts, 'http' | 'posthorn'>, steps: Step[]): Promise<MadeWorkflow> {
  const { id } = await callApi<{ id: string }>(parts, 'POST', '/v1/workflows', { name: 'Bench' })
  const nodes = [{ id: 'start', type: 'manual', config: {} }, ...steps]
  const connections = steps.map((step, index) => {
    const source = nodes[index]!
    const branch = source.type === 'condition' ? 'true' : null
    return { id: `to-${step.id}`, source: source.id, target: step.id, branch }
  })
  await callApi(parts, 'PATCH', `/v1/workflows/${id}`, { nodes, connections })
  await callApi(parts, 'POST', `/v1/workflows/${id}/activate`)
  return { id, steps: steps.length }
}

/** Requests one execution of the workflow. */
export async function startExecution(
  parts: Pick<Parts, 'http' | 'posthorn'>,
  { id }: MadeWorkflow,
  triggerData: object,
): Promise<string> {
  return (await callApi<{ id: string }>(parts, 'POST', `/v1/workflows/${id}/executions`, { triggerData })).id
}

/** Makes a step without an effect. */
export function textStep(id: string): Step {
  return { id, type: 'transform_data', config: { mode: 'template', expression: 'Run {{trigger.run}}' } }
}
