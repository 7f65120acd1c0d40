import type { Memory } from '../../../context/memory.ts'
import type { ActionNode, Context } from '../../../nodes/node.ts'
import type { ExecutionStatus } from '../../../table.ts'
import type { NodeState } from './decide.ts'
import type { Plan } from './plan.ts'

/** A node that has begun, or that will never begin. A node without an entry is pending. */
export type NodeEntry = NodeState & {
  id: string
  /** Attempts that have begun, without those that ended with their process. */
  attempts: number
  /** Attempts in a row that ended with their process. */
  interruptions: number
  /** When a delay ends, or the next attempt is due. See `phaseOf`. */
  runAt: Date | null
  startedAt: Date | null
  /** The output of a delay as JSON, from its beginning to its end. */
  output: string | null
  error: string | null
}

type Phase = 'under way' | 'waits for its next attempt' | 'delays' | 'ended'

/**
 * Tells the phase of a node. Two fields of a node that has begun and not ended say it:
 *
 * | `output` | `runAt` | phase |
 * | --- | --- | --- |
 * | set | the end of the delay | delays |
 * | null | when it is due | waits for its next attempt |
 * | null | null | under way, or its process has ended (then it is not in `State.underWay`) |
 */
export function phaseOf({ status, output, runAt }: NodeEntry): Phase {
  if (status !== 'running' && status !== 'waiting') return 'ended'
  if (output !== null) return 'delays'
  return runAt === null ? 'under way' : 'waits for its next attempt'
}

/** The state of an execution. A step makes the next state and leaves this one unchanged. */
export type State = {
  plan: Plan
  status: ExecutionStatus
  nodes: ReadonlyMap<string, NodeEntry>
  memory: Memory
  /** The error of the node that failed first. */
  failure: string | null
  /** Nodes that this process has begun and that have not ended, also those that wait for the record or for a slot. */
  underWay: ReadonlyMap<string, UnderWay>
  /** Size of the memory and of the inputs under way, in bytes of JSON. */
  sizeBytes: number
}

/**
 * `sizeBytes`: the size of the input as JSON. `unrecordedInput`: the input of a pure node, which is recorded with its
 * output.
 */
type UnderWay = { sizeBytes: number; unrecordedInput: string | null }

/** The new row of a node. */
export type NodeWrite = NodeEntry & {
  nodeId: string
  nodeType: string
  /** The input as JSON; null leaves the recorded input as it is. */
  input: string | null
  completedAt: Date | null
}

/** A node to run. */
export type Begun = {
  nodeId: string
  id: string
  type: ActionNode
  context: Context
  input: Record<string, unknown>
  /** The input as JSON for the history, and the size of the whole input. */
  shown: { text: string; sizeBytes: number }
  /** From 1; attempts that ended with their process count. */
  attempt: number
  startedAt: Date
}

/** An unforeseen error. The execution says that something went wrong, and the log has the error. */
export type Fault = { nodeId: string; error: Error }

/** Everything a step needs besides the state. */
export type World = {
  now: Date
  newId(): string
  /** False while this process may not begin nodes. */
  mayBegin: boolean
  nodeRetryDelaysMs: readonly number[]
  /** An execution is waiting during a delay longer than this, and running during a shorter one. */
  longDelayMs: number
}

/** The next state, which a step may change until it is done. */
export type StepDraft = Pick<State, 'plan'> & {
  nodes: Map<string, NodeEntry>
  memory: Memory & { texts: Map<string, string> }
  failure: string | null
  underWay: Map<string, UnderWay>
  sizeBytes: number
  writes: NodeWrite[]
  begin: Begun[]
  faults: Fault[]
}

/** Changes the entry of a node, and adds the write that records it. */
export function changeNode(
  draft: StepDraft,
  nodeId: string,
  change: Partial<NodeEntry>,
  write: Partial<NodeWrite> = {},
): void {
  const entry = { ...draft.nodes.get(nodeId)!, ...change }
  draft.nodes.set(nodeId, entry)
  const nodeType = draft.plan.byId.get(nodeId)!.type
  draft.writes.push({ ...entry, nodeId, nodeType, input: null, completedAt: null, ...write })
}

/** A node's first entry. */
export function newEntry(id: string, entry: Pick<NodeEntry, 'status' | 'attempts' | 'startedAt'>): NodeEntry {
  return { branch: null, runAt: null, output: null, error: null, interruptions: 0, id, ...entry }
}
