import { beginNode } from './begin.ts'
import { decide } from './decide.ts'
import { completeNode, type Happened, settleNode } from './settle.ts'
import {
  type Begun,
  changeNode,
  type Fault,
  type NodeEntry,
  type NodeWrite,
  newEntry,
  phaseOf,
  type State,
  type StepDraft,
  type World,
} from './state.ts'

/** The result of a step. */
export type Step = {
  state: State
  /** Rows to record, in the order of the changes; a node may occur twice. */
  writes: NodeWrite[]
  /** Nodes to run: pure ones at once, others after the writes are recorded. */
  begin: Begun[]
  /** Errors for the log. */
  faults: Fault[]
  next: JobNext
  /** When a delay ends or an attempt is due; null if no node waits for a time. */
  wakeAt: Date | null
}

/**
 * The process keeps the execution's job, removes it with the end of the execution, or gives it back until a time. A
 * parked job has a kind of its own, so that fair claims do not step over the many that wait (`claim-fairly.ts`).
 */
export type JobNext = 'kept' | 'ended' | { runAt: Date; isParked: boolean }

/** The nodes of one execution that run side by side. */
const underWayMax = 20
/** Keeps a process that ends from taking the execution over again at once. */
const pauseMs = 1000

/**
 * Settles the attempts that ended, completes the delays that are over, and begins the nodes that may begin. Pure: the
 * same arguments give the same step, and the state that was given does not change.
 */
export function advance(before: State, happened: readonly Happened[], world: World): Step {
  const draft = draftOf(before)
  for (const one of happened) settleNode(draft, one, world)
  completeDelays(draft, world.now)
  const { ready, skipped } = decide(draft.plan, draft.nodes)
  for (const nodeId of skipped) skipNode(draft, nodeId, world)
  const candidates = [...dueAgain(draft, world.now), ...ready]
  if (world.mayBegin) beginNodes(draft, candidates, world)
  const { over } = decide(draft.plan, draft.nodes)
  if (over) giveUpDelays(draft, world.now)
  const wakeAt = nextDueAt(draft)
  const isPaused = !world.mayBegin && candidates.length > 0
  const { writes, begin, faults, ...changed } = draft
  const state: State = { ...changed, status: over ?? statusOf(draft, before.status) }
  return { state, writes, begin, faults, wakeAt, next: over ? 'ended' : jobNextOf(draft, wakeAt, isPaused, world.now) }
}

function draftOf({ status: _, ...state }: State): StepDraft {
  const memory = { ...state.memory, texts: new Map(state.memory.texts) }
  const own = { nodes: new Map(state.nodes), memory, underWay: new Map(state.underWay) }
  return { ...state, ...own, writes: [], begin: [], faults: [] }
}

function completeDelays(draft: StepDraft, now: Date): void {
  for (const [nodeId, entry] of [...draft.nodes]) {
    if (phaseOf(entry) === 'delays' && isDue(entry, now))
      completeNode(draft, nodeId, { output: entry.output!, branch: null }, now)
  }
}

function isDue({ runAt }: NodeEntry, now: Date): boolean {
  return runAt !== null && runAt <= now
}

function skipNode(draft: StepDraft, nodeId: string, { newId }: World): void {
  draft.nodes.set(nodeId, newEntry(newId(), { status: 'skipped', attempts: 0, startedAt: null }))
  changeNode(draft, nodeId, {})
}

/** Finds the running nodes whose next attempt is due, or whose process has ended. */
function dueAgain({ nodes, underWay }: StepDraft, now: Date): string[] {
  const nodeIds: string[] = []
  for (const [nodeId, entry] of nodes) {
    const phase = phaseOf(entry)
    const isLeft = phase === 'under way' && !underWay.has(nodeId)
    if (isLeft || (phase === 'waits for its next attempt' && isDue(entry, now))) nodeIds.push(nodeId)
  }
  return nodeIds
}

/** After a failure, only nodes that had begun before go on. */
function beginNodes(draft: StepDraft, candidates: string[], world: World): void {
  for (const nodeId of candidates) {
    if (draft.underWay.size >= underWayMax) return
    if (draft.failure !== null && !draft.nodes.has(nodeId)) return
    beginNode(draft, nodeId, world)
  }
}

function giveUpDelays(draft: StepDraft, now: Date): void {
  for (const [nodeId, { status }] of [...draft.nodes]) {
    if (status !== 'waiting') continue
    changeNode(draft, nodeId, { status: 'skipped', runAt: null, output: null }, { completedAt: now })
  }
}

function nextDueAt({ nodes }: StepDraft): Date | null {
  let dueAt: Date | null = null
  for (const { runAt } of nodes.values()) if (runAt && (!dueAt || runAt < dueAt)) dueAt = runAt
  return dueAt
}

function statusOf({ nodes }: StepDraft, before: State['status']): State['status'] {
  let isWaiting = false
  for (const { status } of nodes.values()) {
    if (status === 'running') return 'running'
    isWaiting ||= status === 'waiting'
  }
  return isWaiting ? 'waiting' : before
}

function jobNextOf({ underWay }: StepDraft, wakeAt: Date | null, isPaused: boolean, now: Date): JobNext {
  if (underWay.size > 0) return 'kept'
  if (wakeAt && !isPaused) return { runAt: wakeAt, isParked: true }
  return { runAt: new Date(now.getTime() + pauseMs), isParked: false }
}
