import { findOrBuild } from '../../dashboard/current.ts'

/** Builds the dashboard, unless there is a build of the same sources. */
export async function buildDashboardCommand(): Promise<void> {
  const { assets } = await findOrBuild(new AbortController().signal)
  process.stdout.write(`The dashboard is built: ${assets.size} files.\n`)
}
