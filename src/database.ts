import type { ApiKeysTable } from './api-keys/table.ts'
import type { AccountTokensTable } from './auth/account-tokens/table.ts'
import type { TeamInvitationsTable, TeamInvitationTokensTable } from './auth/invitations/table.ts'
import type {
  KnownNetworksTable,
  LoginFailuresTable,
  RecoveryCodesTable,
  RefreshTokensTable,
  UserIdentitiesTable,
} from './auth/table.ts'
import type { SandboxSubscriptionsTable, SandboxUsageTable } from './billing/payments/providers/sandbox/table.ts'
import type {
  PaymentAccountsTable,
  PaymentEventsTable,
  PaymentSubscriptionsTable,
} from './billing/subscription/table.ts'
import type { SmsCreditTable, SmsLedgerTable, SmsUsageReportsTable } from './billing/table.ts'
import type { BroadcastRecipientsTable, BroadcastsTable } from './broadcasts/table.ts'
import type { ContactsTable } from './contacts/table.ts'
import type { CredentialsTable } from './credentials/table.ts'
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
  EmailStatusesTable,
  EmailsTable,
  EmailTagsTable,
  EmailUsageTable,
  StoredByteChangesTable,
} from './emails/table.ts'
import type { InboxSmsTable } from './inbox/sms/table.ts'
import type { InboxMessagesTable } from './inbox/table.ts'
import type { InboxWhatsappTable } from './inbox/whatsapp/table.ts'
import type { NumberAssignmentsTable } from './phone/table.ts'
import type { AuditEntriesTable } from './platform/audit/table.ts'
import type { CausedResourcesTable } from './platform/cause/table.ts'
import type { IdempotencyKeysTable } from './platform/idempotency/table.ts'
import type { DiscardedJobsTable, JobsTable } from './platform/jobs/table.ts'
import type { RequestPagesTable } from './platform/request-log/table.ts'
import type { StoredKeysTable } from './platform/stored-keys/table.ts'
import type { PrivacyExportPartsTable, PrivacyRequestsTable } from './privacy/table.ts'
import type {
  SegmentContactsTable,
  SegmentCountChangesTable,
  SegmentCountsTable,
  SegmentsTable,
} from './segments/table.ts'
import type { SmsKeywordMessagesTable, SmsKeywordsTable, SmsOptOutsTable } from './sms/opt-outs/table.ts'
import type { SmsSendersTable } from './sms/senders/table.ts'
import type { SmsEventsTable, SmsMessagesTable, SmsUsageTable } from './sms/table.ts'
import type { SuppressionsTable } from './suppressions/table.ts'
import type { LimitWarningsTable, SystemMailCountsTable } from './system-mail/table.ts'
import type { TeamRetentionTable } from './teams/retention/table.ts'
import type { TeamMembersTable, TeamsTable, UsersTable } from './teams/table.ts'
import type { TemplatesTable } from './templates/table.ts'
import type { TopicCountChangesTable, TopicCountsTable, TopicSubscriptionsTable, TopicsTable } from './topics/table.ts'
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks/table.ts'
import type { WhatsappMarketingChoicesTable } from './whatsapp/marketing/table.ts'
import type { WhatsappSendersTable } from './whatsapp/senders/table.ts'
import type {
  WhatsappConversationsTable,
  WhatsappEarlyStatusesTable,
  WhatsappEventsTable,
  WhatsappMessagesTable,
} from './whatsapp/table.ts'
import type { WhatsappTemplatesTable } from './whatsapp/templates/table.ts'
import type {
  WorkflowBroadcastsTable,
  WorkflowExecutionNodesTable,
  WorkflowExecutionsTable,
  WorkflowGraphsTable,
  WorkflowsTable,
  WorkflowTriggersTable,
} from './workflows/table.ts'

/** All tables. Only the folder that declares a table writes it; every folder may read it. */
export type Database = {
  audit_entries: AuditEntriesTable
  caused_resources: CausedResourcesTable
  jobs: JobsTable
  discarded_jobs: DiscardedJobsTable
  idempotency_keys: IdempotencyKeysTable
  request_pages: RequestPagesTable
  stored_keys: StoredKeysTable
  teams: TeamsTable
  users: UsersTable
  system_mail_counts: SystemMailCountsTable
  limit_warnings: LimitWarningsTable
  team_members: TeamMembersTable
  team_invitations: TeamInvitationsTable
  team_invitation_tokens: TeamInvitationTokensTable
  team_retention: TeamRetentionTable
  privacy_requests: PrivacyRequestsTable
  privacy_export_parts: PrivacyExportPartsTable
  recovery_codes: RecoveryCodesTable
  user_identities: UserIdentitiesTable
  refresh_tokens: RefreshTokensTable
  login_failures: LoginFailuresTable
  known_networks: KnownNetworksTable
  account_tokens: AccountTokensTable
  api_keys: ApiKeysTable
  payment_subscriptions: PaymentSubscriptionsTable
  payment_events: PaymentEventsTable
  payment_accounts: PaymentAccountsTable
  sandbox_subscriptions: SandboxSubscriptionsTable
  sandbox_usage: SandboxUsageTable
  sms_credit: SmsCreditTable
  sms_ledger: SmsLedgerTable
  sms_usage_reports: SmsUsageReportsTable
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
  email_statuses: EmailStatusesTable
  email_tags: EmailTagsTable
  email_counts: EmailCountsTable
  email_count_changes: EmailCountChangesTable
  email_search_counts: EmailSearchCountsTable
  email_search_epochs: EmailSearchEpochsTable
  email_usage: EmailUsageTable
  stored_byte_changes: StoredByteChangesTable
  number_assignments: NumberAssignmentsTable
  sms_senders: SmsSendersTable
  sms_messages: SmsMessagesTable
  sms_events: SmsEventsTable
  sms_usage: SmsUsageTable
  sms_opt_outs: SmsOptOutsTable
  sms_keywords: SmsKeywordsTable
  sms_keyword_messages: SmsKeywordMessagesTable
  whatsapp_senders: WhatsappSendersTable
  whatsapp_templates: WhatsappTemplatesTable
  whatsapp_conversations: WhatsappConversationsTable
  whatsapp_messages: WhatsappMessagesTable
  whatsapp_marketing_choices: WhatsappMarketingChoicesTable
  whatsapp_events: WhatsappEventsTable
  whatsapp_early_statuses: WhatsappEarlyStatusesTable
  broadcasts: BroadcastsTable
  broadcast_recipients: BroadcastRecipientsTable
  credentials: CredentialsTable
  workflows: WorkflowsTable
  workflow_graphs: WorkflowGraphsTable
  workflow_triggers: WorkflowTriggersTable
  workflow_executions: WorkflowExecutionsTable
  workflow_execution_nodes: WorkflowExecutionNodesTable
  workflow_broadcasts: WorkflowBroadcastsTable
  inbox_messages: InboxMessagesTable
  inbox_whatsapp: InboxWhatsappTable
  inbox_sms: InboxSmsTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
}
