import type { ColumnType, Generated } from 'kysely'
import type { EmailStatus } from './messages/statuses.ts'

declare module '../database.ts' {
  interface Database {
    emails: {
      team_id: string
      id: string
      domain_id: string
      domain_name: string
      from_address: string
      to_addresses: string[]
      cc_addresses: string[] | null
      bcc_addresses: string[] | null
      reply_to: string | null
      subject: string
      status: EmailStatus
      dispatching: boolean
      message_id: string
      tags: ColumnType<Record<string, unknown> | null, string | null, string | null>
      headers: ColumnType<Record<string, string> | null, string | null, string | null>
      scheduled_at: Date | null
      sent_at: Date | null
      created_at: Date
      /**
       * The kinds of facts that were counted, as bits (`facts/consequences.ts`). Null if the email is not counted in
       * the metrics.
       */
      seen: Generated<number | null>
      /** Openings and clicks by people. */
      opens: Generated<number>
      clicks: Generated<number>
      /** The time of the newest fact. */
      counted_at: Generated<Date | null>
      /** Scopes of its metrics (`messages/scopes.ts`). */
      scopes: Generated<string[] | null>
      /** Mail of the installation to its users. Only owners and admins see it. */
      system: Generated<boolean>
      /** A test of a broadcast, whose links and openings are not tracked. */
      untracked: Generated<boolean>
    }
    email_contents: {
      team_id: string
      email_id: string
      html: Generated<string | null>
      text: Generated<string | null>
      /** The broadcast whose content is rendered for this email. Null if the email has its own bodies. */
      letter_id: Generated<string | null>
      variables: ColumnType<Record<string, string> | null, string | null | undefined, never>
      unsubscribe_seed: Generated<string | null>
      /** A short submitted message, from which the bodies are decoded. */
      source: Generated<Buffer | null>
    }
    /**
     * A letter is the content of a broadcast, stored once for all its emails. System mail calls its mails letters too.
     */
    email_letters: { team_id: string; id: string; html: string | null; text: string | null }
    email_attachments: {
      team_id: string
      email_id: string
      position: number
      filename: string
      content_type: string | null
      content_id: string | null
      content: Buffer
    }
    /** Long submitted messages, and those of earlier releases. */
    email_sources: { team_id: string; email_id: string; raw: Buffer }
    email_events: {
      team_id: string
      id: string
      email_id: string
      type: string
      recipient: string | null
      provider_event_id: string | null
      data: ColumnType<Record<string, unknown> | null, string | null, string | null>
      created_at: Date
      /** The place in the feed: the number of the transaction that wrote it. -1 if it is not in the feed. */
      position: Generated<string>
    }
    /** The last place in the feed of which retention removed the event. */
    email_event_removals: { team_id: string; position: string; id: string }
    /**
     * The emails of each status, without those of the changes that are not folded. May name emails that have left the
     * status.
     */
    email_statuses: { team_id: string; status: EmailStatus; email_id: string }
    /** `tag` is the `tagKey` of `name:value`. */
    email_tags: { team_id: string; email_id: string; tag: string }
    email_counts: {
      team_id: string
      domain_id: string
      status: EmailStatus
      from_address: string
      count: string
    }
    email_count_changes: {
      id: Generated<string>
      team_id: string
      domain_id: string
      status: EmailStatus
      from_address: string
      change: number
      /** The emails that came to the status, and those that left it. */
      came: Generated<string[] | null>
      went: Generated<string[] | null>
    }
    email_search_counts: {
      team_id: string
      pattern: string
      domain_id: string
      status: string
      through_id: string
      epoch: string
      removals: Generated<string>
      count: string
      counted_at: Date
    }
    email_search_epochs: { team_id: string; epoch: string; removals: Generated<string> }
    email_usage: {
      team_id: string
      /** The UTC day of the count. */
      day: string
      emails_today: number
      bucket_tokens: number
      bucket_at: Date
      /** Scheduled emails that are not due yet and not counted as sent. */
      scheduled_emails: Generated<number>
      /** The stored bytes of the team, without the changes that are not folded yet. */
      stored_bytes: Generated<string>
    }
  }
}
