import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Connection, GraphNode } from './graph/graph.ts'

declare module '../database.ts' {
  interface Database {
    workflows: {
      team_id: string
      id: string
      name: string
      description: string | null
      status: Generated<WorkflowStatus>
      graph_id: string
      graph_was_active: Generated<boolean>
      trigger_key: string
      created_at: Date
    }
    /** Rows are inserted and never updated. */
    workflow_graphs: {
      team_id: string
      id: string
      workflow_id: string
      nodes: ColumnType<GraphNode[], string, never>
      connections: ColumnType<Connection[], string, never>
      /** Encrypted. What was taken out of the nodes. */
      secrets: ColumnType<string | null, string | null, never>
      size_bytes: GeneratedAlways<number>
      node_count: GeneratedAlways<number>
      created_at: Date
    }
    workflow_triggers: {
      team_id: string
      workflow_id: string
      type: string
      events: string[]
      config: ColumnType<Record<string, unknown>, string, string>
    }
    workflow_executions: {
      team_id: string
      id: string
      workflow_id: string
      graph_id: string
      status: ExecutionStatus
      node_count: number
      trigger_data: ColumnType<unknown, string, never>
      vars: ColumnType<Record<string, unknown>, string, never>
      depth: number
      rerun_of: string | null
      idempotency_key: string | null
      error: string | null
      started_at: Date
      completed_at: Date | null
    }
    workflow_execution_nodes: {
      team_id: string
      execution_id: string
      node_id: string
      id: string
      node_type: string
      status: NodeStatus
      attempts: number
      interruptions: number
      run_at: Date | null
      branch: Taken
      input_data: ColumnType<unknown, string | null, string | null>
      output_data: ColumnType<unknown, string | null, string | null>
      error: string | null
      started_at: Date | null
      completed_at: Date | null
    }
    workflow_broadcasts: {
      team_id: string
      broadcast_id: string
      execution_id: string
    }
  }
}

export type WorkflowStatus = 'draft' | 'active' | 'inactive'

export const executionStatuses = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]

export type NodeStatus = 'pending' | 'running' | 'completed' | 'failed' | 'skipped' | 'waiting'

/** The path taken from a complete node: one of a condition's two, none, or (null) all of its paths. */
export type Taken = 'true' | 'false' | 'none' | null
