import { sql } from 'kysely'
import type { App, Db, Tx } from '../../context.ts'
import type { Keyring } from '../../platform/keys/keyring.ts'
import { networkOf } from '../../platform/network/network.ts'
import { type Subject, subjectsOfLogin } from './rules.ts'

/** The number of networks kept for an account, the latest ones. Each is deleted after 90 days without a sign-in. */
const networksMax = 20
export const networkKeptMs = 90 * 24 * 3_600_000

/** Finds the failure counters of a login attempt, with one query whether or not the account exists. */
export async function findLoginSubjects(
  db: Db,
  { keyring, clock }: Pick<App, 'keyring' | 'clock'>,
  email: string,
  clientAddress: string,
): Promise<Subject[]> {
  const emailLower = email.toLowerCase()
  const known = await db
    .selectFrom('known_networks as known')
    .innerJoin('users', 'users.id', 'known.user_id')
    .select('known.user_id')
    .where('users.email_lower', '=', emailLower)
    .where('known.network_hash', '=', hashNetwork(keyring, clientAddress))
    .where('known.last_used_at', '>', new Date(clock.now().getTime() - networkKeptMs))
    .executeTakeFirst()
  return subjectsOfLogin(emailLower, clientAddress, { isKnownNetwork: known !== undefined })
}

/** Notes that the user has signed in from a network. True if it was not known. */
export async function noteNetwork(tx: Tx, keyring: Keyring, userId: string, clientAddress: string): Promise<boolean> {
  const hash = hashNetwork(keyring, clientAddress)
  const noted = await tx.db
    .insertInto('known_networks')
    .values({ user_id: userId, network_hash: hash, last_used_at: tx.now })
    .onConflict((conflict) => conflict.columns(['user_id', 'network_hash']).doUpdateSet({ last_used_at: tx.now }))
    // Reads the rows as they were before this statement.
    .returning(
      sql<boolean>`not exists (
        select from known_networks as known where known.user_id = ${userId} and known.network_hash = ${hash}
          and known.last_used_at > ${new Date(tx.now.getTime() - networkKeptMs)}
      )`.as('isNew'),
    )
    .executeTakeFirstOrThrow()
  await sql`
    delete from known_networks where user_id = ${userId} and network_hash in (
      select network_hash from known_networks where user_id = ${userId}
      order by last_used_at desc, network_hash offset ${networksMax}
    )
  `.execute(tx.db)
  return noted.isNew
}

export async function deleteNetworksOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('known_networks').where('user_id', '=', userId).execute()
}

/** Hashes a network with a key, so that a copy of the rows does not reveal it. */
function hashNetwork(keyring: Keyring, clientAddress: string): Buffer {
  return keyring.sign('known-network', networkOf(clientAddress), 16)
}
