import type { Tx } from '../context.ts'
import type { Keyring } from '../platform/keys/keyring.ts'
import { sealSigningKey } from './dkim/signing-key.ts'
import { wantedReturnPath } from './name.ts'

type Keys = { publicKey: string; privateKey: string }

/** Inserts a verified domain under a reserved name, for the first start and for demo data. */
export async function insertVerifiedDomain(
  tx: Tx,
  keyring: Keyring,
  teamId: string,
  name: string,
  keys: Keys,
): Promise<string> {
  const id = tx.newId()
  const returnPath = wantedReturnPath({ name, custom_return_path: null })
  await tx.db
    .insertInto('domains')
    .values({
      team_id: teamId,
      id,
      name,
      region: 'us-east-1',
      status: 'verified',
      return_path: returnPath,
      dkim_public_key: keys.publicKey,
      dkim_private_key: sealSigningKey(keyring, id, keys.privateKey),
      record_statuses: JSON.stringify({ dkim: 'verified', spf: 'verified', mx: 'verified' }),
      created_at: tx.now,
      updated_at: tx.now,
      first_checked_at: tx.now,
    })
    .execute()
  return id
}
