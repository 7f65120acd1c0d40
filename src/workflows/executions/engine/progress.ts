import { type Begun, begin } from './begin.ts'
import { decide } from './decide.ts'
import type { NodeWrite } from './record.ts'
import { roomOf } from './room.ts'
import type { Run } from './run.ts'
import { complete, settle, writeOf } from './settle.ts'
import { isOldest } from './under-way.ts'

/** Branches of one execution under way side by side. */
const attemptsMax = 20

/**
 * Makes of what has happened what follows from it: nodes that have ended are settled, delays fire, and others begin, which are
 * given. What is to be recorded is added to `unrecorded`.
 */
export function progress(run: Run): Begun[] {
  const now = run.app.clock.now()
  for (const ended of run.ended.splice(0)) note(run, settle(run, ended, now))
  for (const [nodeId, { output, runAt }] of run.states) {
    if (output !== null && runAt && runAt <= now) note(run, complete(run, nodeId, output, now, null))
  }
  const { ready, skipped } = decide(run.plan, run.states)
  for (const nodeId of skipped) note(run, skip(run, nodeId))
  const candidates = [...again(run, now), ...ready]
  const begun: Begun[] = []
  run.isPaused = candidates.length > 0 && mustPause(run)
  for (const nodeId of run.isPaused ? [] : candidates) {
    if (run.attempts.size >= attemptsMax) break
    if (run.failure !== null && !run.states.has(nodeId)) break
    const { write, node } = begin(run, nodeId, now)
    if (write) note(run, write)
    if (!node) continue
    run.attempts.set(nodeId, null)
    begun.push(node)
  }
  return begun
}

/** A node may move twice before it is recorded. */
function note({ unrecorded }: Run, write: NodeWrite): void {
  write.input ??= unrecorded.get(write.nodeId)?.input ?? null
  unrecorded.set(write.nodeId, write)
}

function skip(run: Run, nodeId: string): NodeWrite {
  const blank = { branch: null, runAt: null, startedAt: null, output: null, error: null, input: null }
  run.states.set(nodeId, { ...blank, id: run.app.newId(), status: 'skipped', attempts: 0, interruptions: 0 })
  return writeOf(run, nodeId, null)
}

/** Running, and nobody runs them: their next attempt is due, or a process has died. */
function again(run: Run, now: Date): string[] {
  const nodeIds: string[] = []
  for (const [nodeId, { status, output, runAt }] of run.states) {
    if (status !== 'running' || output !== null || run.attempts.has(nodeId)) continue
    if (runAt === null || runAt <= now) nodeIds.push(nodeId)
  }
  return nodeIds
}

/** The process ends, or its memory is full: nothing begins, and others go on. */
function mustPause(run: Run): boolean {
  return run.app.isDraining() || (roomOf(run.app).isOver() && !isOldest(run))
}
