import type { ApiKeysTable } from './api-keys/table.ts'
import type { LoginFailuresTable, RecoveryCodesTable, RefreshTokensTable, UserIdentitiesTable } from './auth/table.ts'
import type { BroadcastRecipientsTable, BroadcastsTable } from './broadcasts/table.ts'
import type { ContactsTable } from './contacts/table.ts'
import type { DomainsTable } from './domains/table.ts'
import type {
  EmailAttachmentsTable,
  EmailContentsTable,
  EmailCountChangesTable,
  EmailCountsTable,
  EmailEventsTable,
  EmailLettersTable,
  EmailSearchCountsTable,
  EmailSearchEpochsTable,
  EmailSourcesTable,
  EmailsTable,
  EmailUsageTable,
} from './emails/table.ts'
import type { InboxMessagesTable } from './inbox/table.ts'
import type { IdempotencyKeysTable } from './platform/idempotency/table.ts'
import type { JobsTable } from './platform/jobs/table.ts'
import type {
  SegmentContactsTable,
  SegmentCountChangesTable,
  SegmentCountsTable,
  SegmentsTable,
} from './segments/table.ts'
import type { SuppressionsTable } from './suppressions/table.ts'
import type { TeamMembersTable, TeamsTable, UsersTable } from './teams/table.ts'
import type { TemplatesTable } from './templates/table.ts'
import type { TopicCountChangesTable, TopicCountsTable, TopicSubscriptionsTable, TopicsTable } from './topics/table.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks/table.ts'

/** The catalogue of tables. Only the folder that declares a table writes it; any may join it in a read. */
export type Database = {
  jobs: JobsTable
  idempotency_keys: IdempotencyKeysTable
  teams: TeamsTable
  users: UsersTable
  team_members: TeamMembersTable
  recovery_codes: RecoveryCodesTable
  user_identities: UserIdentitiesTable
  refresh_tokens: RefreshTokensTable
  login_failures: LoginFailuresTable
  api_keys: ApiKeysTable
  domains: DomainsTable
  templates: TemplatesTable
  suppressions: SuppressionsTable
  topics: TopicsTable
  topic_subscriptions: TopicSubscriptionsTable
  topic_counts: TopicCountsTable
  topic_count_changes: TopicCountChangesTable
  segments: SegmentsTable
  segment_contacts: SegmentContactsTable
  segment_counts: SegmentCountsTable
  segment_count_changes: SegmentCountChangesTable
  contacts: ContactsTable
  emails: EmailsTable
  email_contents: EmailContentsTable
  email_letters: EmailLettersTable
  email_attachments: EmailAttachmentsTable
  email_sources: EmailSourcesTable
  email_events: EmailEventsTable
  email_counts: EmailCountsTable
  email_count_changes: EmailCountChangesTable
  email_search_counts: EmailSearchCountsTable
  email_search_epochs: EmailSearchEpochsTable
  email_usage: EmailUsageTable
  broadcasts: BroadcastsTable
  broadcast_recipients: BroadcastRecipientsTable
  inbox_messages: InboxMessagesTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
}
