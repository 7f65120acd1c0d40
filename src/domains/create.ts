import type { App, Db } from '../context.ts'
import { newValues, recordChange } from '../platform/audit/record.ts'
import { conflict, invalid } from '../platform/errors.ts'
import { refuseAnother } from '../teams/bounds/refuse-another.ts'
import { makeKeys } from './dkim/make-keys.ts'
import { sealSigningKey } from './dkim/signing-key.ts'
import { normalizeDomainName, wantedReturnPath } from './name.ts'
import { presentDomain } from './present.ts'
import { domainColumns } from './queries.ts'

type NewDomain = { name: string; region?: string }

/**
 * Adds a domain with its own DKIM keys. Throws `invalid` for a text that is not a host name, `conflict` for a domain
 * the team has, `unprocessable` if the plan allows no more domains, and `rateLimited` if the team adds too many in a
 * minute.
 */
export async function createDomain(app: App, teamId: string, { name: given, region = 'us-east-1' }: NewDomain) {
  const name = normalizeDomainName(given)
  if (!name)
    throw invalid('name', 'must be a host name of at least two labels, such as example.com or mail.example.com')
  // The transaction below checks both again. These checks avoid making keys that are not used.
  if (await hasDomain(app.db, teamId, name)) throw alreadyThere(name)
  const domainsMax = await app.transaction((tx) => refuseAnother(tx, teamId, 'domains'))
  const keys = await makeKeys(app, teamId, domainsMax)
  const row = await app.transaction(async (tx) => {
    await refuseAnother(tx, teamId, 'domains')
    const id = tx.newId()
    const made = await tx.db
      .insertInto('domains')
      .values({
        team_id: teamId,
        id,
        name,
        region,
        created_at: tx.now,
        updated_at: tx.now,
        return_path: wantedReturnPath({ name, custom_return_path: null }),
        dkim_public_key: keys.publicKey,
        dkim_private_key: sealSigningKey(app.keyring, id, keys.privateKey),
      })
      .onConflict((conflict) => conflict.columns(['team_id', 'name']).doNothing())
      .returning(domainColumns)
      .executeTakeFirst()
    const change = { action: 'domain.created', target: { type: 'domain', id, name } } as const
    if (made) await recordChange(tx, { teamId, ...change, changes: newValues({ region }) })
    return made
  })
  if (!row) throw alreadyThere(name)
  return presentDomain(app, row)
}

async function hasDomain(db: Db, teamId: string, name: string): Promise<boolean> {
  const query = db.selectFrom('domains').select('id').where('team_id', '=', teamId).where('name', '=', name)
  return (await query.executeTakeFirst()) !== undefined
}

function alreadyThere(name: string) {
  return conflict(`The team already has the domain ${name}. Use that one, or delete it first.`)
}
