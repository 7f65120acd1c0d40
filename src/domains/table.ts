import type { Generated, JSONColumnType } from 'kysely'

declare module '../database.ts' {
  interface Database {
    domains: {
      team_id: string
      id: string
      /** In lower case and punycode. */
      name: string
      status: Generated<DomainStatus>
      region: string
      click_tracking: Generated<boolean>
      open_tracking: Generated<boolean>
      tls: Generated<'opportunistic' | 'enforced'>
      /** A label or a full name, as the team wrote it. */
      custom_return_path: string | null
      /** The full name that mail carries. A changed one replaces it once its own records are verified. */
      return_path: string
      dkim_public_key: string
      /** Encrypted. */
      dkim_private_key: string
      /** The selector of the signing key. The next and the former key have the other selector. */
      dkim_selector: Generated<DkimSelector>
      dkim_next_public_key: string | null
      /** Encrypted. */
      dkim_next_private_key: string | null
      dkim_old_public_key: string | null
      dkim_old_until: Date | null
      record_statuses: JSONColumnType<RecordStatuses, string | undefined, string>
      /** The first check of the present set of records. */
      first_checked_at: Date | null
      /** The first of the consecutive checks that found a required record of a verified domain missing. */
      records_missing_since: Date | null
      checks_begun: Generated<number>
      /** The number of the latest check that was recorded or voided by a change of settings. */
      check_recorded: Generated<number>
      created_at: Date
      updated_at: Date
    }
  }
}

export type DomainStatus = 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure'
/** `nextDkim` replaces `dkim` once its record is found. The record of `oldDkim` is not looked up. */
export type RecordKey = 'dkim' | 'nextDkim' | 'oldDkim' | 'spf' | 'mx' | 'tracking'
export type DkimSelector = 'posthorn' | 'posthorn2'
/** `unchecked` marks a record whose value only the operator knows. It is shown as pending and not required. */
export type RecordStatus = 'pending' | 'verified' | 'failed' | 'unchecked'
/** An absent record is pending. */
export type RecordStatuses = Partial<Record<RecordKey, RecordStatus>>
