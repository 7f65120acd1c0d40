/** The idempotency key of a node's requests. All attempts of an execution have the same; a rerun has another. */
export function turnKey(workflowId: string, executionId: string, nodeId: string): string {
  return `workflow-${workflowId}-${executionId}-${nodeId}`
}
