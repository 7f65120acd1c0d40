import { emailReads } from './email-reads.ts'
import { fillEmails, findSandbox } from './fill-emails.ts'
import { type Figures, measureReads, readClients, readResults } from './measure-reads.ts'
import { inMiB, memoryMiB } from './processes.ts'
import { type BareServer, withBareServer } from './with-bare-server.ts'
import { type Parts, withPosthorn } from './with-posthorn.ts'
import type { Options, Result, Workload } from './workload.ts'

/** Row 9: one email, and lists with filter, search and total, at 10,000 emails and at a million. */
export const listEmails: Workload = {
  name: 'list-emails',
  run: (options) =>
    withPosthorn({}, readClients, (parts) =>
      withBareServer(parts, readClients, (bare) => measure(options, parts, bare)),
    ),
}

async function measure(options: Options, { database, http, posthorn }: Parts, bare: BareServer): Promise<Result[]> {
  const sizes = options.quick ? [1000, 10_000] : [10_000, 1_000_000]
  const sandbox = await findSandbox(database)
  const measured: Map<string, Figures>[] = []
  let filled = 0
  for (const size of sizes) {
    options.say(`filling up to ${size} emails`)
    await fillEmails(database, sandbox, filled, size)
    filled = size
    const reads = await emailReads(database, sandbox.teamId, bare)
    measured.push(await measureReads(options, reads, http, posthorn.key!))
  }
  return readResults('a', 'emails', sizes, measured, inMiB(await memoryMiB(posthorn.pid)))
}
