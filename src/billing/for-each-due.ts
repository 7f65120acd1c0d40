import type { App } from '../context.ts'

/**
 * Does the work for each who is due, in pages; `find` gives the page after the one named. Who fails holds up nobody else:
 * it is passed over and due again, and at the end the whole fails, so that the job shows it.
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
        app.log.error({ err: error, team: due.teamId }, 'a month could not be turned, will be repeated')
      }
    }
  }
  if (failures > 0) throw new Error(`The month of ${failures} could not be turned; the log names the teams.`)
}
