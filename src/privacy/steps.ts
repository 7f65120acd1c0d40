import { testTeamOf } from '../platform/mode/mode.ts'
import type { Trace } from '../platform/privacy/trace.ts'
import type { Counts } from './table.ts'

/** A kind of row under one of the team's ids, and what is done with those that name the person. */
export type Step = { name: string; teamId: string; isLive: boolean; trace: Trace; task: 'show' | 'erase' | 'count' }

/** The field of a request's counts that each task adds to. */
const countedIn = { show: 'found', erase: 'removed', count: 'left' } as const

/** Stands in the row of a request in place of a step's name when all steps are done. */
export const allDone = 'done'

/**
 * Lists what is read in live and in test mode. An export leaves out what it does not show. An erasure removes all rows
 * first, then counts what is left of all.
 */
export function stepsOf(traces: Trace[], type: 'export' | 'erase', teamId: string): Step[] {
  const inBothModes = (read: Trace[], task: Step['task'], prefix = ''): Step[] =>
    [teamId, testTeamOf(teamId)].flatMap((id, at) =>
      read.map((trace) => ({ name: `${prefix}${at} ${trace.name}`, teamId: id, isLive: at === 0, trace, task })),
    )
  if (type === 'erase') return [...inBothModes(traces, 'erase'), ...inBothModes(traces, 'count', 'count ')]
  const shown = traces.filter(({ show }) => show)
  return inBothModes(shown, 'show')
}

/** Tells whether a request can go on from here. */
export function isPlace(steps: Step[], name: string | null): boolean {
  return name === null || name === allDone || steps.some((step) => step.name === name)
}

/** Returns the index of the step that a request is at: 0 before the first, and the number of steps after the last. */
export function placeOf(steps: Step[], name: string | null): number {
  if (name === null) return 0
  const known = steps.findIndex((step) => step.name === name)
  if (known !== -1 || name === allDone) return known === -1 ? steps.length : known
  // An earlier version ended the removal under another name, and did not note what it had counted.
  const firstCount = steps.findIndex(({ task }) => task === 'count')
  return firstCount === -1 ? steps.length : firstCount
}

/**
 * Adds what a step has counted on its page after `after`. Each round counts anew what is left, beginning with the live
 * team.
 */
export function addCount(counts: Counts, { trace, task, isLive }: Step, after: string, count: number): Counts {
  const before = counts[trace.name] ?? {}
  const field = countedIn[task]
  const isNew = task === 'count' && isLive && after === ''
  return { ...counts, [trace.name]: { ...before, [field]: (isNew ? 0 : (before[field] ?? 0)) + count } }
}

/** Returns how many rows an erasure has left. 0 for an export. */
export function sumOfLeft(steps: Step[], counts: Counts): number {
  const names = new Set(steps.filter(({ task }) => task === 'count').map(({ trace }) => trace.name))
  return [...names].reduce((sum, name) => sum + (counts[name]?.left ?? 0), 0)
}
