/** Sent with what a node does outside; the same at every attempt, another in a rerun. */
export function turnKey(workflowId: string, executionId: string, nodeId: string): string {
  return `workflow-${workflowId}-${executionId}-${nodeId}`
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const form = new RegExp(`^workflow-${uuid}-(${uuid})-`)

/** The execution that a key was made for; undefined for anybody else's key. */
export function executionOf(key: string): string | undefined {
  return form.exec(key)?.[1]
}
