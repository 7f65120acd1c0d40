/** Sent with what a node does outside; the same at every attempt, another in a rerun. */
export function turnKey(workflowId: string, executionId: string, nodeId: string): string {
  return `workflow-${workflowId}-${executionId}-${nodeId}`
}
