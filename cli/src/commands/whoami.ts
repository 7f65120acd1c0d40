import { PermissionError } from '../../../sdk/src/errors.ts'
import type { Call } from '../call.ts'
import { Client } from '../client.ts'
import type { Connection } from '../connection.ts'
import type { Io } from '../io.ts'
import { linesText } from '../output/table.ts'

/** `profile` is null if the key is that of a flag or of the environment. */
export type Identity = { url: string; profile: string | null; plan: string; permission: string }

export async function whoami(call: Call): Promise<undefined> {
  const identity = await identityOf(call.io, call.connection())
  call.show(identity, () => linesText(identity))
}

/** Asks the server what a key is. Throws the refusal of a key that is not valid. */
export async function identityOf(io: Io, connection: Connection): Promise<Identity> {
  const { url, profile } = connection
  const client = new Client(connection, io)
  const { tier } = await client.limits.get()
  return { url, profile, plan: tier.plan, permission: await permissionOf(client) }
}

/** A key with sending_access is refused where domains are listed. */
async function permissionOf(client: Client): Promise<string> {
  const { error } = await client.domains.list({ limit: 1 }).result()
  if (!error) return 'full_access'
  if (error instanceof PermissionError) return 'sending_access'
  throw error
}
