import type { App } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { refuseMoreThan } from '../platform/sql/refuse-more-than.ts'
import { readAllowedHosts } from './allowed-hosts.ts'
import { credentialColumns, shownCredential } from './queries.ts'
import type { NewCredential } from './schema.ts'
import { refuseSecret, sealSecret } from './secret.ts'

/** Bounds the credentials of a team. */
const credentialsMax = 1000

/**
 * Stores a credential with its secret encrypted. No answer shows the secret. Throws `invalid`, and `conflict` for a
 * name in use.
 */
export function createCredential(app: App, teamId: string, credential: NewCredential) {
  refuseSecret(credential)
  const { name, type, secret, allowedHosts } = credential
  const hosts = allowedHosts ? readAllowedHosts(allowedHosts) : null
  return app.transaction(async (tx) => {
    await refuseMoreThan(tx, teamId, 'credentials', credentialsMax, 'credentials')
    const id = tx.newId()
    const row = await tx.db
      .insertInto('credentials')
      .values({
        ...{ team_id: teamId, id, name, type },
        ...{ secret: sealSecret(app.keyring, id, secret), created_at: tx.now, allowed_hosts: hosts },
      })
      .returning(credentialColumns)
      .executeTakeFirstOrThrow()
    const changes = newValues({ type, allowedHosts: hosts })
    await recordChange(tx, { teamId, action: 'credential.created', target: { type: 'credential', id, name }, changes })
    return shownCredential(row)
  })
}
