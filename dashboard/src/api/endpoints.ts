// Made by "npm run generate" from the routes. Do not edit.
// biome-ignore-all format: the generator writes one line a type, so that a diff shows each change once
import type { Acceptance, AddedToSegment, ApiKey, ApiKeyChanges, ApiKeyList, AttemptPage, AuditPage, AuditQuery, Broadcast, BroadcastAudience, BroadcastChanges, BroadcastLinks, BroadcastList, BroadcastRecipients, BroadcastStats, BroadcastTest, BrowserSessionRequest, ChangedMember, Checkout, Contact, ContactChanges, ContactPage, Conversation, ConversationList, CreatedApiKey, CreatedInvitation, Credential, CredentialList, DeliveryPage, DeliveryWithPayload, Domain, DomainChanges, DomainList, Email, EmailBatch, EmailMetrics, EmailPage, EntryPage, Execution, ExecutionDetail, ExecutionPage, FeedEntryList, GraphShown, Import, ImportResult, InboxMessage, InboxPage, InboxSmsPage, InboxWhatsappPage, InvitationList, InvitationTerms, LoggedRequest, LoginRequest, Lookup, Me, MemberChanges, MemberList, MetricsQuery, NewApiKey, NewBroadcast, NewContact, NewCredential, NewExecutionBody, NewInvitation, NewPrivacyRequest, NewSender, NewTemplate, NewWebhook, NewWorkflow, NodeTypeList, OauthRequest, OptOut, OptOutList, OwnTeam, PasswordChange, PlanList, PrivacyRequest, PrivacyRequestPage, RateLimits, Reauthenticated, RemovedMember, Rendered, RequestPage, RequestQuery, RetentionChanges, Segment, SegmentList, SendBatchBody, SendEmailBody, Sender, SenderChanges, SenderList, SendSmsBatchBody, SendSmsBody, SendWhatsappBody, Session, SessionList, Setup, SignInOptions, Signup, Sms, SmsBatch, SmsMetrics, SmsPage, Subscribed, Subscription, Suppression, SuppressionPage, Team, TeamChanges, TeamRetention, Template, TemplateChanges, TemplateList, TestEvent, Topic, TopicList, Verified, Webhook, WebhookChanges, WebhookList, WebhookMetrics, WebhookWithSecret, WhatsappMessage, WhatsappMessageWithEvents, WhatsappMetrics, WhatsappNewSender, WhatsappNewTemplate, WhatsappPage, WhatsappSender, WhatsappSenderChanges, WhatsappSenderList, WhatsappTemplate, WhatsappTemplateChanges, WhatsappTemplateList, Workflow, WorkflowChanges, WorkflowCheck, WorkflowList, WorkflowMetrics } from './shapes.ts'

export type Gets = {
  '/v1/team': { input: unknown; answer: Team }
  '/v1/team/members': { input: { limit?: number; cursor?: string }; answer: MemberList }
  '/v1/team/retention': { input: unknown; answer: TeamRetention }
  '/auth/me': { input: unknown; answer: Me }
  '/auth/oauth/:provider': { input: { provider: string } & { next?: string }; answer: string }
  '/auth/oauth/:provider/callback': { input: { provider: string }; answer: string }
  '/auth/teams': { input: { limit?: number; cursor?: string }; answer: { data: Array<OwnTeam>; cursor: string | null; hasMore: boolean } }
  '/auth/2fa/status': { input: unknown; answer: { enabled: boolean } }
  '/auth/options': { input: unknown; answer: SignInOptions }
  '/auth/sessions': { input: { limit?: number; cursor?: string }; answer: SessionList }
  '/v1/team/invitations': { input: { limit?: number; cursor?: string }; answer: InvitationList }
  '/auth/invitations/:token': { input: { token: string }; answer: InvitationTerms }
  '/v1/api-keys': { input: { limit?: number; cursor?: string }; answer: ApiKeyList }
  '/v1/api-keys/:id': { input: { id: string }; answer: ApiKey }
  '/v1/billing/plans': { input: { limit?: number; cursor?: string }; answer: PlanList }
  '/v1/billing/entries': { input: { limit?: number; cursor?: string }; answer: EntryPage }
  '/v1/billing/subscription': { input: unknown; answer: Subscription }
  '/v1/rate-limits': { input: { mode?: 'live' | 'test' }; answer: RateLimits }
  '/v1/audit': { input: AuditQuery; answer: AuditPage }
  '/v1/requests': { input: RequestQuery; answer: RequestPage }
  '/v1/requests/:requestId': { input: { requestId: string }; answer: LoggedRequest }
  '/v1/suppressions': { input: { limit?: number; cursor?: string; search?: string; reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual'; mode?: 'live' | 'test' }; answer: SuppressionPage }
  '/v1/suppressions/export': { input: { search?: string; reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual'; mode?: 'live' | 'test' }; answer: string }
  '/v1/suppressions/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Suppression }
  '/v1/domains': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: DomainList }
  '/v1/domains/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Domain }
  '/v1/templates': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: TemplateList }
  '/v1/templates/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Template }
  '/v1/topics': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: TopicList }
  '/v1/topics/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Topic }
  '/v1/segments': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: SegmentList }
  '/v1/segments/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Segment }
  '/v1/contacts': { input: { limit?: number; cursor?: string; search?: string; segmentId?: string; topicId?: string; unsubscribed?: boolean; mode?: 'live' | 'test' }; answer: ContactPage }
  '/v1/contacts/count': { input: { mode?: 'live' | 'test' }; answer: { total: number; unsubscribed: number } }
  '/v1/contacts/export': { input: { search?: string; segmentId?: string; topicId?: string; unsubscribed?: boolean; mode?: 'live' | 'test' }; answer: string }
  '/v1/contacts/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Contact }
  '/v1/emails': { input: { limit?: number; cursor?: string; status?: 'scheduled' | 'sent' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'cancelled'; domainId?: string; tag?: string; recipient?: string; broadcastId?: string; from?: string; until?: string; search?: string; find?: string; mode?: 'live' | 'test' }; answer: EmailPage }
  '/v1/emails/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Email }
  '/v1/emails/:id/events': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Array<{ id: string; type: string; createdAt: string; data: Record<string, unknown> | null }> }
  '/v1/emails/:id/message': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { messageId: string; replyTo: string | null; headers: Record<string, string> | null; tags: Record<string, unknown> | null; via: 'api' | 'smtp' | 'broadcast' | 'workflow' | 'system'; broadcastId: string | null; executionId: string | null; attachments: Array<{ filename: string | null; contentType: string; size: number; contentId: string | null; disposition: 'inline' | 'attachment' | null }> } }
  '/v1/emails/:id/preview': { input: { id: string } & { images?: 'remote'; mode?: 'live' | 'test' }; answer: unknown }
  '/v1/emails/:id/attachments/:n': { input: { id: string; n: string } & { mode?: 'live' | 'test' }; answer: unknown }
  '/v1/sms': { input: { limit?: number; cursor?: string; status?: 'accepted' | 'queued' | 'sent' | 'undelivered' | 'failed' | 'delivered'; senderId?: string; search?: string; mode?: 'live' | 'test' }; answer: SmsPage }
  '/v1/sms/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Sms }
  '/v1/sms/:id/events': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Array<{ id: string; type: string; createdAt: string; data: Record<string, unknown> | null }> }
  '/v1/sms/senders': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: SenderList }
  '/v1/sms/senders/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Sender }
  '/v1/sms/opt-outs': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: OptOutList }
  '/v1/sms/opt-outs/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: OptOut }
  '/v1/whatsapp/messages': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: WhatsappPage }
  '/v1/whatsapp/messages/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WhatsappMessageWithEvents }
  '/v1/whatsapp/conversations': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: ConversationList }
  '/v1/whatsapp/conversations/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Conversation }
  '/v1/whatsapp/senders': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: WhatsappSenderList }
  '/v1/whatsapp/senders/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WhatsappSender }
  '/v1/whatsapp/templates': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: WhatsappTemplateList }
  '/v1/whatsapp/templates/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WhatsappTemplate }
  '/v1/broadcasts': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: BroadcastList }
  '/v1/broadcasts/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Broadcast }
  '/v1/broadcasts/:id/stats': { input: { id: string } & { mode?: 'live' | 'test' }; answer: BroadcastStats }
  '/v1/broadcasts/:id/audience': { input: { id: string } & { mode?: 'live' | 'test' }; answer: BroadcastAudience }
  '/v1/broadcasts/:id/recipients': { input: { id: string } & { limit?: number; cursor?: string; status?: 'queued' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed' | 'suppressed' | 'notOptedIn' | 'cancelled' | 'failed'; mode?: 'live' | 'test' }; answer: BroadcastRecipients }
  '/v1/broadcasts/:id/links': { input: { id: string } & { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: BroadcastLinks }
  '/v1/credentials': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: CredentialList }
  '/v1/workflows': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: WorkflowList }
  '/v1/workflows/node-types': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: NodeTypeList }
  '/v1/workflows/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Workflow }
  '/v1/workflows/:id/executions': { input: { id: string } & { status?: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'; limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: ExecutionPage }
  '/v1/workflows/:id/executions/:exec_id': { input: { id: string; exec_id: string } & { mode?: 'live' | 'test' }; answer: ExecutionDetail }
  '/v1/workflows/:id/executions/:exec_id/graph': { input: { id: string; exec_id: string } & { mode?: 'live' | 'test' }; answer: GraphShown }
  '/v1/webhooks': { input: { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: WebhookList }
  '/v1/webhooks/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Webhook }
  '/v1/webhooks/:id/deliveries': { input: { id: string } & { limit?: number; cursor?: string; status?: 'pending' | 'delivered' | 'failed'; eventType?: 'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'; mode?: 'live' | 'test' }; answer: DeliveryPage }
  '/v1/webhooks/:id/deliveries/:deliveryId': { input: { id: string; deliveryId: string } & { mode?: 'live' | 'test' }; answer: DeliveryWithPayload }
  '/v1/webhooks/:id/deliveries/:deliveryId/attempts': { input: { id: string; deliveryId: string } & { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: AttemptPage }
  '/v1/metrics/emails': { input: { from?: string; until?: string; interval?: 'hour' | 'day'; timezone?: string; domainId?: string; broadcastId?: string; workflowId?: string; tag?: string; mode?: 'live' | 'test' }; answer: EmailMetrics }
  '/v1/metrics/sms': { input: { from?: string; until?: string; interval?: 'hour' | 'day'; timezone?: string; mode?: 'live' | 'test' }; answer: SmsMetrics }
  '/v1/metrics/whatsapp': { input: { from?: string; until?: string; interval?: 'hour' | 'day'; timezone?: string; mode?: 'live' | 'test' }; answer: WhatsappMetrics }
  '/v1/metrics/workflows': { input: { from?: string; until?: string; interval?: 'hour' | 'day'; timezone?: string; workflowId?: string; mode?: 'live' | 'test' }; answer: WorkflowMetrics }
  '/v1/metrics/webhooks': { input: MetricsQuery; answer: WebhookMetrics }
  '/v1/inbox': { input: { limit?: number; cursor?: string; search?: string; mode?: 'live' | 'test' }; answer: InboxPage }
  '/v1/inbox/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: InboxMessage }
  '/v1/inbox/:id/preview': { input: { id: string } & { images?: 'remote'; mode?: 'live' | 'test' }; answer: unknown }
  '/v1/inbox/:id/attachments/:n': { input: { id: string; n: string } & { mode?: 'live' | 'test' }; answer: unknown }
  '/v1/inbox/sms': { input: { limit?: number; cursor?: string; search?: string; mode?: 'live' | 'test' }; answer: InboxSmsPage }
  '/v1/inbox/whatsapp': { input: { limit?: number; cursor?: string; search?: string; mode?: 'live' | 'test' }; answer: InboxWhatsappPage }
  '/v1/inbox/threads': { input: { limit?: number; cursor?: string; channel?: 'sms' | 'whatsapp'; mode?: 'live' | 'test' }; answer: { data: Array<{ channel: 'sms' | 'whatsapp'; phoneNumber: string; lastMessageAt: string; preview: string }>; cursor: string | null; hasMore: boolean } }
  '/v1/inbox/threads/:channel/:phoneNumber': { input: { channel: 'sms' | 'whatsapp'; phoneNumber: string } & { limit?: number; cursor?: string; mode?: 'live' | 'test' }; answer: { data: Array<{ id: string; direction: 'outbound' | 'inbound'; from: string; to: string; body: string; createdAt: string }>; cursor: string | null; hasMore: boolean } }
  '/v1/privacy/requests': { input: { limit?: number; cursor?: string }; answer: PrivacyRequestPage }
  '/v1/privacy/requests/:id': { input: { id: string }; answer: PrivacyRequest }
  '/v1/privacy/requests/:id/file': { input: { id: string }; answer: unknown }
  '/v1/installation': { input: unknown; answer: { version: string; publicUrl: string; providers: { email: string; sms: string; whatsapp: string; payments: string }; smtp: { host: string; port: number | null; tlsPort: number | null }; discardedJobs: number | null } }
  '/v1/lookup': { input: { id: string; mode?: 'live' | 'test' }; answer: Lookup }
  '/v1/live': { input: { mode?: 'live' | 'test' }; answer: string }
  '/v1/feed': { input: { after?: string; types?: string; limit?: number; mode?: 'live' | 'test' }; answer: FeedEntryList }
  '/v1/feed/stream': { input: { after?: string; types?: string; signed?: boolean; format?: 'posthorn' | 'resend'; mode?: 'live' | 'test' }; answer: string }
}

export type Posts = {
  '/auth/signup': { input: unknown; answer: Session; body: Signup }
  '/auth/login': { input: unknown; answer: Session; body: LoginRequest }
  '/auth/refresh': { input: unknown; answer: Session; body: { refreshToken: string } }
  '/auth/oauth': { input: unknown; answer: Session; body: OauthRequest }
  '/auth/logout': { input: unknown; answer: { revoked: true }; body: { refreshToken: string } }
  '/auth/password/forgot': { input: unknown; answer: { sent: true }; body: { email: string } }
  '/auth/password/reset': { input: unknown; answer: { reset: true }; body: { token: string; password: string } }
  '/auth/password': { input: unknown; answer: { changed: true }; body: PasswordChange }
  '/auth/verify-email': { input: unknown; answer: { verified: true }; body: { token: string } }
  '/auth/verify-email/resend': { input: unknown; answer: { sent: true } }
  '/auth/teams': { input: unknown; answer: OwnTeam; body: { name: string } }
  '/auth/switch': { input: unknown; answer: Session | Me; body: { teamId: string } }
  '/auth/me/email': { input: unknown; answer: { sent: true }; body: { email: string } }
  '/auth/me/email/confirm': { input: unknown; answer: { changed: true }; body: { token: string } }
  '/auth/2fa/setup': { input: unknown; answer: Setup }
  '/auth/2fa/verify': { input: unknown; answer: Verified; body: { code: string } }
  '/auth/2fa/disable': { input: unknown; answer: { enabled: false }; body: { code: string } }
  '/auth/2fa/recovery-codes': { input: unknown; answer: { recoveryCodes: Array<string> }; body: { code: string } }
  '/auth/session': { input: unknown; answer: Me; body: BrowserSessionRequest }
  '/auth/reauthenticate': { input: unknown; answer: Reauthenticated; body: { password?: string; code?: string } }
  '/v1/team/invitations': { input: unknown; answer: CreatedInvitation; body: NewInvitation }
  '/auth/invitations': { input: unknown; answer: Session | Me; body: Acceptance }
  '/v1/api-keys': { input: unknown; answer: CreatedApiKey; body: NewApiKey }
  '/v1/billing/checkout': { input: unknown; answer: { url: string }; body: Checkout }
  '/v1/billing/portal': { input: unknown; answer: { url: string }; body?: { returnUrl?: string } }
  '/v1/webhooks/payments': { input: unknown; answer: { received: boolean }; body: unknown }
  '/v1/suppressions': { input: { mode?: 'live' | 'test' }; answer: Suppression; body: { email: string } }
  '/v1/domains': { input: unknown; answer: Domain; body: { name: string; region?: string } }
  '/v1/domains/:id/verify': { input: { id: string }; answer: Domain }
  '/v1/domains/:id/rotate-dkim': { input: { id: string }; answer: Domain }
  '/v1/templates': { input: { mode?: 'live' | 'test' }; answer: Template; body: NewTemplate }
  '/v1/topics': { input: { mode?: 'live' | 'test' }; answer: Topic; body: { name: string } }
  '/v1/topics/:id/contacts': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Subscribed; body: { contactIds: Array<string> } }
  '/v1/segments': { input: { mode?: 'live' | 'test' }; answer: Segment; body: { name: string } }
  '/v1/segments/:id/contacts': { input: { id: string } & { mode?: 'live' | 'test' }; answer: AddedToSegment; body: { contactIds: Array<string> } }
  '/v1/contacts': { input: { mode?: 'live' | 'test' }; answer: Contact; body: NewContact }
  '/v1/contacts/import': { input: { mode?: 'live' | 'test' }; answer: ImportResult; body: Import }
  '/v1/emails': { input: { mode?: 'live' | 'test' }; answer: Email; body: SendEmailBody }
  '/v1/emails/batch': { input: { mode?: 'live' | 'test' }; answer: EmailBatch; body: SendBatchBody }
  '/v1/emails/:id/cancel': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Email }
  '/v1/sms': { input: { mode?: 'live' | 'test' }; answer: Sms; body: SendSmsBody }
  '/v1/sms/batch': { input: { mode?: 'live' | 'test' }; answer: SmsBatch; body: SendSmsBatchBody }
  '/v1/sms/senders': { input: unknown; answer: Sender; body: NewSender }
  '/v1/sms/senders/:id/verify': { input: { id: string }; answer: Sender }
  '/v1/sms/opt-outs': { input: { mode?: 'live' | 'test' }; answer: OptOut; body: { phoneNumber: string } }
  '/providers/capture/sms': { input: { mode?: 'live' | 'test' }; answer: { received: true; action: 'opted_out' | 'opted_in' | null }; body: { from: string; to: string; body: string } }
  '/v1/whatsapp/messages': { input: { mode?: 'live' | 'test' }; answer: WhatsappMessage; body: SendWhatsappBody }
  '/v1/whatsapp/conversations/:id/reply': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WhatsappMessage; body: { body: string } }
  '/v1/whatsapp/senders': { input: unknown; answer: WhatsappSender; body: WhatsappNewSender }
  '/v1/whatsapp/senders/:id/verify': { input: { id: string }; answer: WhatsappSender }
  '/v1/whatsapp/templates': { input: { mode?: 'live' | 'test' }; answer: WhatsappTemplate; body: WhatsappNewTemplate }
  '/v1/whatsapp/templates/:id/submit': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WhatsappTemplate }
  '/v1/whatsapp/webhooks/inbound': { input: unknown; answer: { received: number; processed: number; duplicates: number; ignored: number }; body: unknown }
  '/providers/capture/whatsapp': { input: { mode?: 'live' | 'test' }; answer: { received: number; processed: number; duplicates: number; ignored: number }; body: unknown }
  '/v1/broadcasts': { input: { mode?: 'live' | 'test' }; answer: Broadcast; body: NewBroadcast }
  '/v1/broadcasts/:id/send': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Broadcast }
  '/v1/broadcasts/:id/cancel': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Broadcast }
  '/v1/broadcasts/:id/test': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { emailIds: Array<string> }; body: BroadcastTest }
  '/v1/previews': { input: { images?: 'remote'; mode?: 'live' | 'test' }; answer: Rendered; body: unknown }
  '/v1/credentials': { input: { mode?: 'live' | 'test' }; answer: Credential; body: NewCredential }
  '/v1/workflows': { input: { mode?: 'live' | 'test' }; answer: Workflow; body: NewWorkflow }
  '/v1/workflows/:id/activate': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Workflow }
  '/v1/workflows/:id/check': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WorkflowCheck }
  '/v1/workflows/:id/rotate-trigger-key': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Workflow }
  '/v1/workflows/:id/duplicate': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Workflow }
  '/v1/workflows/:id/executions': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Execution; body?: NewExecutionBody }
  '/v1/workflows/:id/executions/:exec_id/rerun': { input: { id: string; exec_id: string } & { mode?: 'live' | 'test' }; answer: Execution; body?: { fromFailedNode?: boolean } }
  '/v1/workflows/:id/executions/:exec_id/cancel': { input: { id: string; exec_id: string } & { mode?: 'live' | 'test' }; answer: Execution }
  '/v1/workflows/triggers/:publicKey': { input: { publicKey: string }; answer: { executionId: string; status: 'running' | 'completed' | 'failed' | 'cancelled' | 'waiting' }; body?: unknown }
  '/v1/webhooks': { input: { mode?: 'live' | 'test' }; answer: WebhookWithSecret; body: NewWebhook }
  '/v1/webhooks/:id/rotate-secret': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WebhookWithSecret }
  '/v1/webhooks/:id/test': { input: { id: string } & { mode?: 'live' | 'test' }; answer: DeliveryWithPayload; body: TestEvent }
  '/v1/webhooks/:id/replay': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { queued: number }; body: { since: string } }
  '/v1/webhooks/:id/deliveries/:deliveryId/replay': { input: { id: string; deliveryId: string } & { mode?: 'live' | 'test' }; answer: DeliveryWithPayload }
  '/v1/privacy/requests': { input: unknown; answer: PrivacyRequest; body: NewPrivacyRequest }
}

export type Patches = {
  '/v1/team': { input: unknown; answer: Team; body: TeamChanges }
  '/v1/team/members/:userId': { input: { userId: string }; answer: ChangedMember; body: MemberChanges }
  '/v1/team/retention': { input: unknown; answer: TeamRetention; body: RetentionChanges }
  '/auth/me': { input: unknown; answer: Me; body: { name: string } }
  '/v1/api-keys/:id': { input: { id: string }; answer: ApiKey; body: ApiKeyChanges }
  '/v1/domains/:id': { input: { id: string }; answer: Domain; body: DomainChanges }
  '/v1/templates/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Template; body: TemplateChanges }
  '/v1/topics/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Topic; body: { name: string } }
  '/v1/segments/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Segment; body: { name: string } }
  '/v1/contacts/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Contact; body: ContactChanges }
  '/v1/emails/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Email; body: { scheduledAt: string } }
  '/v1/sms/senders/:id': { input: { id: string }; answer: Sender; body: SenderChanges }
  '/v1/whatsapp/senders/:id': { input: { id: string }; answer: WhatsappSender; body: WhatsappSenderChanges }
  '/v1/whatsapp/templates/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: WhatsappTemplate; body: WhatsappTemplateChanges }
  '/v1/broadcasts/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Broadcast; body: BroadcastChanges }
  '/v1/workflows/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Workflow; body: WorkflowChanges }
  '/v1/webhooks/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: Webhook; body: WebhookChanges }
}

export type Deletes = {
  '/v1/team': { input: unknown; answer: { id: string; deleted: true }; body: { confirm: string } }
  '/v1/team/members/:userId': { input: { userId: string }; answer: RemovedMember }
  '/auth/me': { input: unknown; answer: { id: string; deleted: true }; body?: { deleteTeams?: boolean } }
  '/auth/session': { input: unknown; answer: { revoked: true } }
  '/auth/sessions/:id': { input: { id: string }; answer: { id: string; deleted: true } }
  '/v1/team/invitations/:id': { input: { id: string }; answer: { id: string; deleted: true } }
  '/v1/api-keys/:id': { input: { id: string }; answer: { id: string; deleted: true } }
  '/v1/suppressions/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/domains/:id': { input: { id: string }; answer: { id: string; deleted: true } }
  '/v1/templates/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/topics/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/topics/:id/contacts/:contactId': { input: { id: string; contactId: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/segments/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/segments/:id/contacts/:contactId': { input: { id: string; contactId: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/contacts/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/sms/senders/:id': { input: { id: string }; answer: { id: string; deleted: true } }
  '/v1/sms/opt-outs/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/whatsapp/senders/:id': { input: { id: string }; answer: { id: string; deleted: true } }
  '/v1/whatsapp/templates/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/broadcasts/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/credentials/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/workflows/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/webhooks/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/inbox/:id': { input: { id: string } & { mode?: 'live' | 'test' }; answer: { id: string; deleted: true } }
  '/v1/inbox': { input: { mode?: 'live' | 'test' }; answer: { deleted: number } }
}
