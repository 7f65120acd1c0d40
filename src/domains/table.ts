import type { Generated, JSONColumnType } from 'kysely'

export type DomainStatus = 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure'
/** `nextDkim` is the key that takes the place of `dkim` once it is found; `oldDkim` is not looked for. */
export type RecordKey = 'dkim' | 'nextDkim' | 'oldDkim' | 'spf' | 'mx' | 'tracking'
export type DkimSelector = 'posthorn' | 'posthorn2'
export type RecordStatus = 'pending' | 'verified' | 'failed'
/** Absent is pending. */
export type RecordStatuses = Partial<Record<RecordKey, RecordStatus>>

export type DomainsTable = {
  team_id: string
  id: string
  /** Lower case, in punycode. */
  name: string
  status: Generated<DomainStatus>
  region: string
  click_tracking: Generated<boolean>
  open_tracking: Generated<boolean>
  tls: Generated<'opportunistic' | 'enforced'>
  /** As asked for: a label or a full name. */
  custom_return_path: string | null
  /** The full name that mail carries; one asked for later takes its place once its records are verified. */
  return_path: string
  dkim_public_key: string
  /** Encrypted. */
  dkim_private_key: string
  /** The selector of the key that signs. The next key and the former one have the other selector. */
  dkim_selector: Generated<DkimSelector>
  dkim_next_public_key: string | null
  /** Encrypted. */
  dkim_next_private_key: string | null
  dkim_old_public_key: string | null
  dkim_old_until: Date | null
  record_statuses: JSONColumnType<RecordStatuses, string | undefined, string>
  /** Of the records as they now are. */
  first_checked_at: Date | null
  /** Since when DNS has said that a needed record of a verified domain is not there. */
  records_missing_since: Date | null
  checks_begun: Generated<number>
  /** The number of the latest check that was recorded, or made void by a change of the settings. */
  check_recorded: Generated<number>
  created_at: Date
  updated_at: Date
}
