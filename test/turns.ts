import assert from 'node:assert/strict'
import type { RunningApp } from '../src/app.ts'

/**
 * Runs the due jobs of a kind until `teamId` has had its turn, and returns how many turns others had before. Later jobs
 * of the kind end without being run.
 */
export async function countTurnsBefore({ app }: RunningApp, kind: string, teamId: string): Promise<number> {
  const definition = app.jobs.definitionOf(kind)
  assert.ok(definition, `${kind} is a kind of job`)
  const { run } = definition
  let before = 0
  let hadTurn = false
  definition.run = async (running, job) => {
    if (hadTurn) return undefined
    if (job.teamId !== teamId) before++
    else hadTurn = true
    return run(running, job)
  }
  try {
    await app.jobs.runDue()
  } finally {
    definition.run = run
  }
  assert.ok(hadTurn, 'the team had a turn')
  return before
}
