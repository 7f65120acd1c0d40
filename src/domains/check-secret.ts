import type { Db } from '../context.ts'
import type { Keyring } from '../platform/keyring.ts'

/** Whether what an earlier start encrypted can be read by this one: with another APP_SECRET no mail could be signed. */
export async function canOpenSigningKeys(db: Db, keyring: Keyring): Promise<boolean> {
  const row = await db.selectFrom('domains').select('dkim_private_key').orderBy('id').limit(1).executeTakeFirst()
  try {
    if (row) keyring.decrypt('dkim', row.dkim_private_key)
    return true
  } catch {
    return false
  }
}
