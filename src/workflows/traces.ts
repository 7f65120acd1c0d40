import { maskedTraceOf } from '../platform/privacy/masked-trace.ts'

/** A graph that was to write to the person fails, as it would for a suppressed address. */
export const workflowTraces = [
  maskedTraceOf({
    ...{ name: 'workflows', table: 'workflows', key: ['id'] },
    searched: { name: 'text', description: 'text' },
  }),
  maskedTraceOf({
    ...{ name: 'workflowGraphs', table: 'workflow_graphs', key: ['id'] },
    searched: { nodes: 'json', connections: 'json' },
  }),
  maskedTraceOf({
    ...{ name: 'workflowTriggers', table: 'workflow_triggers', key: ['workflow_id'] },
    searched: { config: 'json' },
  }),
]
