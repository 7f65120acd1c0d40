import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Peer, Place } from './peer.ts'
import { startPeer } from './process.ts'

/** The user that owns what is kept, in all mail servers. */
export const mailboxId = 990

type Server = {
  domain: string
  /** The folder of the unpacked package. */
  program: string
  /** Users that the package would have made. */
  users: string[]
  /** Configuration files, by their names in /peer. */
  files: Record<string, string>
  /**
   * Shell lines that end with the server in the foreground. They run as root, in a root folder where paths are the
   * package's.
   */
  start: string
}

/**
 * Starts a mail server of Debian in a root folder of its own (see `in-root.sh`), which needs root. It logs to
 * /peer/log, and keeps each message as a file of the user `mailbox` in /peer/kept, or in /peer/kept/new as a Maildir.
 */
export async function startInRoot({ address, port }: Place, server: Server): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-peer-'))
  chmodSync(folder, 0o755)
  const [kept, log] = ['kept', 'log'].map((name) => join(folder, name)) as [string, string]
  mkdirSync(kept)
  chownSync(kept, mailboxId, mailboxId)
  mkdirSync(log)
  chmodSync(log, 0o777)
  const users = ['mailbox', ...server.users]
  const line = (name: string, index: number) => `${name}:x:${mailboxId + index}`
  const files = {
    ...server.files,
    passwd: users.map((name, index) => `${line(name, index)}:${mailboxId + index}::/var/empty:/bin/false\n`).join(''),
    group: users.map((name, index) => `${line(name, index)}:\n`).join(''),
    start: `set -eu\n${server.start}`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const logged = () => filesIn(log).join('\n')
  const script = fileURLToPath(new URL('./in-root.sh', import.meta.url))
  const options = { cwd: folder, address, port }
  const peer = await startPeer('/bin/sh', [script, server.program, folder], options).catch((error: Error) => {
    throw new Error(`${error.message}${logged()}`)
  })
  return {
    domain: server.domain,
    kept: () => [...filesIn(kept), ...filesIn(join(kept, 'new'))],
    log: () => peer.output() + logged(),
    async stop() {
      await peer.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the texts of the files of a folder, or none if there is no folder. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ name }) => readFileSync(join(folder, name), 'utf8'))
}
