import type { App } from '../context.ts'

/**
 * Does the work for each item that is due, in pages; `find` returns the page after the given item. An item whose work
 * fails is skipped and stays due. Throws at the end if any item failed, so that the job shows the failure.
 */
export async function forEachDue<T extends { teamId: string }>(
  app: App,
  find: (after: T | null) => Promise<T[]>,
  work: (due: T) => Promise<void>,
): Promise<void> {
  let failures = 0
  for (let page = await find(null); page.length > 0; page = await find(page.at(-1)!)) {
    for (const due of page) {
      try {
        await work(due)
      } catch (error) {
        failures++
        app.log.error(
          { err: error, team: due.teamId },
          'the month of a team could not be renewed; the next run tries again',
        )
      }
    }
  }
  if (failures > 0)
    throw new Error(
      `The month of ${failures} teams could not be renewed; the next run tries again. The log names the teams.`,
    )
}
