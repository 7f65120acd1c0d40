import { join } from 'node:path'
import { type Account, chooseAccount, passesThrough } from './account.ts'

/** The place of one installation's database, and the account that runs it. All paths are absolute. */
export type Home = {
  folder: string
  /** PostgreSQL's own data folder. */
  cluster: string
  account: Account | null
  /** True if the account cannot enter a folder above, so that its programs cannot use these paths: see `paths.ts`. */
  isClosed: boolean
}

export async function homeIn(folder: string): Promise<Home> {
  const cluster = join(folder, 'cluster')
  const account = await chooseAccount(cluster)
  return { folder, cluster, account, isClosed: !(await passesThrough(account, folder)) }
}
