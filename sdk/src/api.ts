// Made by "npm run generate" from the routes. Do not edit.
// biome-ignore-all format: the generator writes one line a field, so that a diff shows each change once

export type ApiKey = {
  id: string
  name: string
  /** The first characters of the key. */
  keyPrefix: string
  mode: 'live' | 'test'
  permission: 'full_access' | 'sending_access'
  /** The one domain the key may send email from. */
  domainId: string | null
  expiresAt: string | null
  /** The creator of the key, with its name at that time. Null for keys that are older than this field. */
  createdBy: { type: 'user' | 'api_key' | 'operator'; id: string | null; name: string } | null
  createdAt: string
}

export type ApiKeyChanges = {
  /** For people to tell keys apart. With a visible character, and without control characters and invisible ones. */
  name?: string
  permission?: 'full_access' | 'sending_access'
  /** When the key expires. Null if it does not. */
  expiresAt?: string | Date | null
}

export type ApiKeyList = {
  data: Array<ApiKeyListItem>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type ApiKeyListItem = {
  id: string
  name: string
  /** The first characters of the key. */
  keyPrefix: string
  mode: 'live' | 'test'
  permission: 'full_access' | 'sending_access'
  /** The one domain the key may send email from. */
  domainId: string | null
  expiresAt: string | null
  /** The creator of the key, with its name at that time. Null for keys that are older than this field. */
  createdBy: { type: 'user' | 'api_key' | 'operator'; id: string | null; name: string } | null
  domainName: string | null
  lastUsedAt: string | null
  createdAt: string
}

export type Broadcast = {
  id: string
  name: string
  from: string
  segmentId: string
  segmentName: string
  topicId: string | null
  replyTo: string | null
  subject: string
  html: string | null
  text: string | null
  status: 'draft' | 'scheduled' | 'queued' | 'sending' | 'sent'
  mode: 'live' | 'test'
  scheduledAt: string | null
  sentAt: string | null
  createdAt: string
}

export type BroadcastAudience = {
  total: number
  recipients: number
  skipped: { unsubscribed: number; suppressed: number; notOptedIn: number }
}

export type BroadcastChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name?: string
  /** An address of a domain that is verified when the broadcast is sent. */
  from?: string
  segmentId?: string
  subject?: string
  /**
   * `{{email}}`, `{{firstName}}`, `{{lastName}}`, `{{unsubscribeUrl}}` and `{{properties.x}}` are filled in. Values are
   * HTML-escaped, and percent-encoded in links.
   */
  html?: string | null
  /** Made from the HTML where it is left out. */
  text?: string | null
  /** Only contacts opted in to it get it. */
  topicId?: string | null
  replyTo?: string | null
  /** In the future; once sent, it waits until then. */
  scheduledAt?: string | Date | null
}

export type BroadcastLink = {
  url: string
  clicks: number
  /** Those that clicked it at least once. */
  recipients: number
}

export type BroadcastLinkList = {
  data: Array<BroadcastLink>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type BroadcastList = {
  data: Array<Broadcast>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type BroadcastRecipient = {
  contactId: string
  /** Null if the contact was deleted before it got an email. */
  email: string | null
  status: 'queued' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed' | 'suppressed' | 'notOptedIn' | 'cancelled' | 'failed'
  emailId: string | null
}

export type BroadcastRecipientList = {
  data: Array<BroadcastRecipient>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type BroadcastStats = {
  total: number
  sent: number
  delivered: number
  opened: number
  clicked: number
  /** Emails that never arrive, whether or not the address is at fault. One that counts as failed is not among them. */
  bounced: number
  complained: number
  skipped: { unsubscribed: number; suppressed: number; notOptedIn: number; cancelled?: number; failed?: number }
}

export type BroadcastTest = {
  to: Array<string>
  contactId?: string
}

export type BroadcastTested = {
  emailIds: Array<string>
}

export type Checkout = {
  plan: 'pro' | 'scale' | 'enterprise'
}

export type Contact = {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  phoneNumber: string | null
  unsubscribed: boolean
  /** Any JSON object of at most 64 KiB. */
  properties: Record<string, unknown>
  /** The newest 1000. */
  segments: Array<{ segmentId: string; name: string }>
  /** Those opted in to; the newest 1000. */
  topics: Array<{ topicId: string; name: string }>
  createdAt: string
  updatedAt: string
}

export type ContactChanges = {
  /** Empty clears. */
  firstName?: string | null
  /** Empty clears. */
  lastName?: string | null
  /** E.164. Empty clears. */
  phoneNumber?: string | null
  /** Any JSON object of at most 64 KiB. */
  properties?: Record<string, unknown>
  /** `false` is the only way back in. */
  unsubscribed?: boolean
}

export type ContactCount = {
  total: number
  /** How many of them are unsubscribed. */
  unsubscribed: number
}

export type ContactIds = {
  /** At most 10,000 a request. An id that is given twice counts once. */
  contactIds: Array<string>
}

export type ContactImport = {
  contacts: Array<{ email?: unknown; firstName?: unknown; lastName?: unknown; phoneNumber?: unknown; unsubscribed?: unknown; properties?: unknown }>
  /** Every contact of the import is added to it. */
  segmentId?: string
}

export type ContactImportResult = {
  created: number
  updated: number
  /** Rows that changed nothing or were in error. */
  skipped: number
  errors: Array<{ index: number; email: string | null; message: string }>
}

export type ContactList = {
  data: Array<Contact>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type CreatedApiKey = {
  id: string
  name: string
  /** The first characters of the key. */
  keyPrefix: string
  mode: 'live' | 'test'
  permission: 'full_access' | 'sending_access'
  /** The one domain the key may send email from. */
  domainId: string | null
  expiresAt: string | null
  /** The creator of the key, with its name at that time. Null for keys that are older than this field. */
  createdBy: { type: 'user' | 'api_key' | 'operator'; id: string | null; name: string } | null
  /** The full key. It is shown only here. */
  key: string
  createdAt: string
}

export type Credential = {
  id: string
  name: string
  type: 'bearer' | 'basic' | 'header'
  /**
   * The hosts that it may be sent to: `api.example.com`, or `*.example.com` for all names below. With a port
   * (`api.example.com:8443`) only that port is allowed. Without this field it may be sent to every host.
   */
  allowedHosts?: Array<string>
  createdAt: string
}

export type CredentialList = {
  data: Array<Credential>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type CreditEntry = {
  id: string
  kind: 'debit' | 'overage' | 'reversal' | 'refill' | 'grant' | 'zero'
  /**
   * The amount that the entry gave, negative if it took one. `overage` is charged by the payment provider and leaves
   * the balance as it is.
   */
  cents: number
  /** The credit after the entry. */
  balanceCents: number
  /** The SMS. Null for entries about a period or a plan. */
  messageId: string | null
  createdAt: string
}

export type CreditEntryList = {
  data: Array<CreditEntry>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type Deleted = {
  id: string
  deleted: true
}

export type DeliveriesReplayed = {
  /** The deliveries that will be sent again. */
  queued: number
}

export type Delivery = {
  /** Sent as `webhook-id`. */
  id: string
  webhookId: string
  eventType: 'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** The status of the last attempt. Null if no answer came. */
  responseStatusCode: number | null
  lastAttemptAt: string | null
  nextRetryAt: string | null
  createdAt: string
}

export type DeliveryAttempt = {
  at: string
  durationMs: number
  /** The status of the answer. Null if none came. */
  statusCode: number | null
  /** Why no answer came. Null if one did. */
  error: string | null
  /** The first 1 KiB of the answer as text. Null if it was empty. */
  body: string | null
}

export type DeliveryAttemptList = {
  data: Array<DeliveryAttempt>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type DeliveryList = {
  data: Array<Delivery>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type DeliveryReplay = {
  /** Deliveries that failed at this time or later. */
  since: string | Date
}

export type DeliveryWithPayload = {
  /** Sent as `webhook-id`. */
  id: string
  webhookId: string
  eventType: 'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** The status of the last attempt. Null if no answer came. */
  responseStatusCode: number | null
  lastAttemptAt: string | null
  nextRetryAt: string | null
  createdAt: string
  /** The body as it is sent. */
  payload: Record<string, unknown>
  /** For marketers and viewers `[hidden]` stands in place of path and query. */
  endpointUrl: string
}

export type Domain = {
  id: string
  /** In lower case; names of other scripts in punycode. */
  name: string
  /**
   * `pending` while records are missing, for 72 hours from the first check, then `failed`; `temporary_failure` when DNS
   * did not answer (it is asked again). A verified domain is checked daily, and is `failed` after its records have been
   * missing for 72 hours or name another team.
   */
  status: 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure'
  region: string
  clickTracking: boolean
  openTracking: boolean
  /** `enforced` delivers over encrypted and verified connections only. */
  tls: 'opportunistic' | 'enforced'
  customReturnPath: string | null
  /** The records to publish in DNS. SPF and MX follow the email provider of the installation. */
  records: Array<DomainRecord>
  createdAt: string
  updatedAt: string
}

export type DomainChanges = {
  /**
   * Links in HTML lead through the server. Links of more than about 1,400 characters, past the 2,000th of an email, or
   * in HTML of more than 500,000 characters stay as they are.
   */
  clickTracking?: boolean
  openTracking?: boolean
  /** `enforced` delivers over encrypted and verified connections only. */
  tls?: 'opportunistic' | 'enforced'
  /** A label, or a full name under the domain; null or empty restores `send.<name>`. */
  customReturnPath?: string | null
}

export type DomainList = {
  data: Array<DomainListItem>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type DomainListItem = {
  id: string
  /** In lower case; names of other scripts in punycode. */
  name: string
  /**
   * `pending` while records are missing, for 72 hours from the first check, then `failed`; `temporary_failure` when DNS
   * did not answer (it is asked again). A verified domain is checked daily, and is `failed` after its records have been
   * missing for 72 hours or name another team.
   */
  status: 'not_started' | 'pending' | 'verified' | 'failed' | 'temporary_failure'
  region: string
  createdAt: string
}

export type DomainRecord = {
  type: 'mx' | 'txt' | 'cname'
  name: string
  /** Empty if this server does not know it; `note` then says who does. */
  value: string
  /** Only for a record without a value. */
  note?: string
  priority: number | null
  status: 'pending' | 'verified' | 'failed'
}

export type Email = {
  id: string
  from: string
  to: Array<string>
  cc: Array<string> | null
  bcc: Array<string> | null
  subject: string
  html: string | null
  text: string | null
  /** As they were given. */
  tags: Record<string, unknown> | null
  status: 'scheduled' | 'sent' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'cancelled'
  mode: 'live' | 'test'
  scheduledAt: string | null
  createdAt: string
}

export type EmailBatch = {
  data: Array<Email>
}

export type EmailBouncedEvent = {
  type: 'email.bounced'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type EmailClickedEvent = {
  type: 'email.clicked'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type EmailComplainedEvent = {
  type: 'email.complained'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type EmailDeliveredEvent = {
  type: 'email.delivered'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type EmailDeliveryDelayedEvent = {
  type: 'email.delivery_delayed'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type EmailEvent = {
  id: string
  type: string
  createdAt: string
  data: Record<string, unknown> | null
}

export type EmailList = {
  data: Array<EmailListItem>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
  /** All that match the filters, constant over the pages. */
  total: number
}

export type EmailListItem = {
  id: string
  from: string
  to: Array<string>
  subject: string
  status: 'scheduled' | 'sent' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'cancelled'
  mode: 'live' | 'test'
  domainName: string
  sentAt: string | null
  createdAt: string
}

export type EmailMessage = {
  /** The `Message-ID`, with angle brackets. */
  messageId: string
  replyTo: string | null
  headers: Record<string, string> | null
  /** As they were given. */
  tags: Record<string, unknown> | null
  via: 'api' | 'smtp' | 'broadcast' | 'workflow' | 'system'
  broadcastId: string | null
  executionId: string | null
  attachments: Array<PartSummary>
}

export type EmailMetrics = {
  /** The figures of each point. `total` describes them. */
  data: Array<{ at: string; accepted: number; sent: number; delivered: number; delayed: number; bounced: number; softBounced: number; complained: number; unsubscribed: number; opened: number; clicked: number; uniqueOpened: number; uniqueClicked: number }>
  total: { accepted: number; sent: number; delivered: number; delayed: number; bounced: number; softBounced: number; complained: number; unsubscribed: number; opened: number; clicked: number; uniqueOpened: number; uniqueClicked: number }
}

export type EmailOpenedEvent = {
  type: 'email.opened'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type EmailReschedule = {
  /** In the future; sent then instead. */
  scheduledAt: string | Date
}

export type EmailSentEvent = {
  type: 'email.sent'
  /** `test` if a test key sent the message, or if the event is a test. Left out otherwise. */
  mode?: 'test'
  created_at: string
  data: { email_id: string; details: Record<string, unknown> | null }
}

export type Execution = {
  id: string
  workflowId: string
  status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  /** The number of nodes of the graph, including the trigger. */
  nodeCount: number
  startedAt: string
  completedAt: string | null
  /** The first 200 characters. */
  error: string | null
}

export type ExecutionDetail = {
  id: string
  workflowId: string
  status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  /** The number of nodes of the graph, including the trigger. */
  nodeCount: number
  startedAt: string
  completedAt: string | null
  error: string | null
  /** An object. */
  triggerData: unknown
  /** All nodes of the graph that the execution started with. */
  nodes: Array<{ id: string; nodeId: string; nodeType: string; status: 'pending' | 'running' | 'completed' | 'failed' | 'skipped' | 'waiting'; inputData: unknown; outputData: unknown; error: string | null; startedAt: string | null; completedAt: string | null }>
}

export type ExecutionList = {
  data: Array<Execution>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type ExecutionRerun = {
  /** Keeps the completed nodes and begins with the node that failed. Only for an execution that failed. */
  fromFailedNode?: boolean
}

export type FeedEntry = {
  /** Its place in the feed. */
  id: string
  type: 'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'
  at: string
  data: { emailId: string; details: Record<string, unknown> | null }
}

export type FeedEntryList = {
  data: Array<FeedEntry>
  /** The `after` of the next request, also on the last page. Null while the feed is empty. */
  cursor: string | null
  hasMore: boolean
}

export type FileSummary = {
  filename: string | null
  contentType: string
  /** In bytes, decoded. */
  size: number
}

export type InboxCleared = {
  /** How many messages there were. */
  deleted: number
}

export type InboxList = {
  data: Array<InboxListItem>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type InboxListItem = {
  id: string
  emailId: string
  from: string
  to: Array<string>
  subject: string
  createdAt: string
}

export type InboxMessage = {
  id: string
  emailId: string
  from: string
  to: Array<string>
  subject: string
  createdAt: string
  cc: Array<string> | null
  bcc: Array<string> | null
  html: string | null
  text: string | null
  /** Decoded headers by name. The values of a repeated header are separated by line breaks. */
  headers: Record<string, string>
  attachments: Array<FileSummary>
}

export type InboxSms = {
  id: string
  messageId: string
  /** The sender ID, as recipients see it. */
  from: string
  to: string
  body: string
  createdAt: string
}

export type InboxSmsList = {
  data: Array<InboxSms>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type InboxThread = {
  channel: 'sms' | 'whatsapp'
  phoneNumber: string
  lastMessageAt: string
  /** The beginning of the newest message. */
  preview: string
}

export type InboxThreadList = {
  data: Array<InboxThread>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type InboxThreadMessage = {
  id: string
  direction: 'outbound' | 'inbound'
  from: string
  to: string
  body: string
  createdAt: string
}

export type InboxThreadMessageList = {
  data: Array<InboxThreadMessage>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type InboxWhatsapp = {
  id: string
  messageId: string
  from: string
  to: string
  body: string
  templateName: string | null
  createdAt: string
}

export type InboxWhatsappList = {
  data: Array<InboxWhatsapp>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type Installation = {
  version: string
  /** The base of links in mail. */
  publicUrl: string
  providers: { email: string; sms: string; whatsapp: string; payments: string }
  smtp: { host: string; port: number | null; tlsPort: number | null }
  /**
   * Jobs that failed for the last time within 30 days, up to 10,000, for the team named by `SYSTEM_TEAM`. Null for
   * others.
   */
  discardedJobs: number | null
}

export type Lookup = {
  /** Null if the id is unknown, or not for the caller. */
  found: { kind: 'email' | 'sms' | 'whatsapp_message' | 'whatsapp_conversation' | 'contact' | 'segment' | 'topic' | 'template' | 'whatsapp_template' | 'broadcast' | 'workflow' | 'execution' | 'webhook' | 'delivery' | 'domain' | 'sms_sender' | 'whatsapp_sender' | 'request'; id: string; parentId: string | null; name: string } | null
}

export type NewApiKey = {
  /** For people to tell keys apart. With a visible character, and without control characters and invisible ones. */
  name: string
  /** `sending_access` sends and reads emails and broadcasts; `full_access` may use every endpoint. */
  permission?: 'full_access' | 'sending_access'
  /** What a `test` key sends is captured: nothing leaves, and nothing counts. It never changes. */
  mode?: 'live' | 'test'
  /** The one domain the key may send email from. */
  domainId?: string | null
  /** When the key expires. Null if it does not. */
  expiresAt?: string | Date | null
}

export type NewBroadcast = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
  /** An address of a domain that is verified when the broadcast is sent. */
  from: string
  segmentId: string
  subject: string
  /**
   * `{{email}}`, `{{firstName}}`, `{{lastName}}`, `{{unsubscribeUrl}}` and `{{properties.x}}` are filled in. Values are
   * HTML-escaped, and percent-encoded in links.
   */
  html?: string | null
  /** Made from the HTML where it is left out. */
  text?: string | null
  /** Only contacts opted in to it get it. */
  topicId?: string | null
  replyTo?: string | null
  /** In the future; once sent, it waits until then. */
  scheduledAt?: string | Date | null
}

export type NewContact = {
  /** The bare address, kept as given. It is unique within the team, whatever its case. */
  email: string
  /** Empty clears. */
  firstName?: string | null
  /** Empty clears. */
  lastName?: string | null
  /** E.164. Empty clears. */
  phoneNumber?: string | null
  /** Any JSON object of at most 64 KiB. */
  properties?: Record<string, unknown>
}

export type NewCredential = {
  /** For people. With a visible character, and without control characters and invisible ones. */
  name: string
  type: 'bearer' | 'basic' | 'header'
  /** `{token}`, `{username, password}` or `{value}`, by type. Never shown again. */
  secret: { token?: string; username?: string; password?: string; value?: string }
  /**
   * The hosts that it may be sent to: `api.example.com`, or `*.example.com` for all names below. With a port
   * (`api.example.com:8443`) only that port is allowed. Without this field it may be sent to every host.
   */
  allowedHosts?: Array<string>
}

export type NewDomain = {
  /** A host name of at least two labels. */
  name: string
  region?: string
}

export type NewEmail = {
  /** An address of a verified domain of the team. A test key may use any address. */
  from: string
  to: Array<string>
  subject: string
  html?: string
  text?: string
  /** At most 50 in to, cc and bcc together. */
  cc?: Array<string>
  /** At most 50 in to, cc and bcc together. */
  bcc?: Array<string>
  /** One address, with or without a name. An address that needs quotes before the `@` is refused. */
  replyTo?: string
  /** In the future; sent then. */
  scheduledAt?: string | Date
  /**
   * Further header fields. Those the platform sets, and those that give orders to mail services (`X-SMTPAPI`,
   * `X-SES-…`), are refused.
   */
  headers?: Record<string, string>
  tags?: Record<string, string | number | boolean | null>
  /** A published template. It supplies `html` and `text` if they are left out. */
  templateId?: string
  templateVariables?: Record<string, string | number | boolean | null>
  attachments?: Array<{ filename: string; content: string; contentType?: string; contentId?: string }>
}

export type NewEmailBatch = {
  emails: Array<NewEmail>
}

export type NewExecution = {
  /** The data of the trigger: `{{trigger.…}}` in configs. `{}` if it is left out. */
  triggerData?: Record<string, unknown>
  /** `{{vars.…}}` in configs. */
  vars?: Record<string, unknown>
}

export type NewPreview = {
  /** In a broadcast, variables without a value are empty; elsewhere they stay as they are. */
  kind: 'email' | 'template' | 'broadcast'
  subject?: string
  html?: string | null
  text?: string | null
  variables?: Record<string, string | number | boolean | null>
  /** For a broadcast: the contact whose values are filled in. */
  contactId?: string
}

export type NewSegment = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
}

export type NewSmsBatch = {
  messages: Array<NewSmsMessage>
}

export type NewSmsMessage = {
  /** E.164. */
  to: string
  body: string
  /** An active sender. */
  senderId: string
  /** The sender's default where left out. */
  messageType?: 'transactional' | 'promotional'
}

export type NewSmsOptOut = {
  /** E.164. */
  phoneNumber: string
}

export type NewSmsSender = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
  /**
   * The sender that recipients see. `alphanumeric_id`: 1 to 11 letters, digits and spaces, with a letter; `long_code`
   * and `toll_free`: E.164; `short_code`: 4 to 6 digits.
   */
  senderId: string
  senderType?: 'alphanumeric_id' | 'long_code' | 'toll_free' | 'short_code'
  /** ISO 3166-1 alpha-2, in capitals. */
  country?: string
  /** A `transactional` sender sends no promotional messages; a `promotional` one sends both. */
  defaultMessageType?: 'transactional' | 'promotional'
}

export type NewSuppression = {
  /** The bare address; compared whatever its case. */
  email: string
}

export type NewTemplate = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
  /** Values are HTML-escaped, and percent-encoded in links. */
  html?: string | null
  /** Values stand as they are. */
  text?: string | null
}

export type NewTopic = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
}

export type NewWebhook = {
  /**
   * An `https://` URL without user name or password, at a public address. Outside production also `http://` on
   * `localhost` or another loopback address. Redirects are not followed.
   */
  endpointUrl: string
  events: Array<'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'>
  /**
   * Whether it also gets events of messages that test keys sent, marked `"mode": "test"`. False if left out; always
   * true for a webhook of test mode.
   */
  includeTest?: boolean
  /**
   * How the `webhook-` headers sign: `posthorn` signs `timestamp.body`, `standard` follows Standard Webhooks, so that
   * its libraries verify. The `svix-` headers always follow it.
   */
  signatureScheme?: 'posthorn' | 'standard'
}

export type NewWhatsappMessage = {
  senderId: string
  /** E.164. */
  to: string
  templateId?: string
  /** As many as the template has placeholders, in their order. */
  variables?: Array<string>
  /** Replaces a template while the 24-hour window is open. */
  body?: string
}

export type NewWhatsappSender = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
  /** E.164. */
  phoneNumber: string
  /** What readers see. With a visible character, and without control characters and invisible ones. */
  displayName?: string | null
  /** The id of the WhatsApp Business Account. Required to verify the sender. */
  wabaId?: string | null
  /** What WhatsApp calls the number. Needed to verify. */
  phoneNumberId?: string | null
}

export type NewWhatsappTemplate = {
  /** Lowercase letters, digits and underscores. */
  name: string
  /** With placeholders `{{1}}` to `{{n}}`. */
  body: string
  category?: 'marketing' | 'utility' | 'authentication'
  /** A language tag (BCP 47). */
  language?: string
  /** Header, footer and buttons, as the provider takes them. At most 64 KiB. */
  components?: Record<string, unknown> | null
}

export type NewWorkflow = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
  description?: string | null
}

export type NodeType = {
  type: string
  kind: 'trigger' | 'action'
  title: string
  description: string
  /**
   * The JSON Schema of the config. `x-resource` names the list that an id comes from, such as `segments`;
   * `contentMediaType` the language of a text.
   */
  configSchema: Record<string, unknown>
  /**
   * The JSON Schema of what later nodes read: of a trigger as `trigger`, of an action as `node_<id>`. `{}` is any
   * value.
   */
  outputSchema: Record<string, unknown>
  /** The branches that connections from the node name. Empty for most types. */
  branches: Array<'true' | 'false'>
  /** True if marketers may run workflows with such a node, and may not write them. */
  restricted: boolean
}

export type NodeTypeList = {
  data: Array<NodeType>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type PageUrl = {
  /** To be opened in a browser, soon. */
  url: string
}

export type PartSummary = {
  filename: string | null
  contentType: string
  /** In bytes, decoded. */
  size: number
  /** Without angle brackets. */
  contentId: string | null
  disposition: 'inline' | 'attachment' | null
}

export type Plan = {
  name: string
  plan: 'free' | 'pro' | 'scale' | 'enterprise'
  /** In dollars. */
  monthlyPrice: number
  /** Emails a UTC day. */
  dailyEmailLimit: number
  /** SMS a UTC day. */
  dailySmsLimit: number
  /** The SMS credit at the start of each period. Unused credit does not roll over. */
  monthlySmsCreditCents: number
  /** Whether the team is on it. */
  current: boolean
}

export type PlanList = {
  data: Array<Plan>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type Portal = {
  /** Where its link back leads; the dashboard’s settings where left out. */
  returnUrl?: string
}

export type Preview = {
  subject: string
  /** As it would be sent. It is not cleaned: show it in a sandboxed frame only. */
  html: string | null
  text: string | null
  /** Names of variables that nothing fills in. */
  unknown: Array<string>
}

export type RateLimits = {
  tier: { plan: 'free' | 'pro' | 'scale' | 'enterprise'; hasOverride: boolean }
  limits: { dailyEmailLimit: number; emailsPerSecond: number; apiRequestsPerMinute: number; batchSize: number; dailySmsLimit: number; smsBatchSize: number; dailySmsSpendLimit: number }
  usage: { emailsSentToday: number; dailyEmailLimit: number; dailyUsagePercent: number; resetsAt: string; smsSentToday: number; dailySmsLimit: number; dailySmsUsagePercent: number; smsSpendToday: number; dailySmsSpendLimit: number }
}

export type Segment = {
  id: string
  name: string
  contactCount: number
  /** Those of them that have unsubscribed. */
  unsubscribedCount: number
  createdAt: string
}

export type SegmentAdditions = {
  added: number
  alreadyInSegment: number
}

export type SegmentChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
}

export type SegmentList = {
  data: Array<Segment>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type SmsBatch = {
  data: Array<{ id: string; to: string; status: 'accepted' | 'queued' | 'sent' | 'undelivered' | 'failed' | 'delivered'; segments: number; senderName: string; mode: 'live' | 'test' }>
}

export type SmsEvent = {
  id: string
  type: string
  createdAt: string
  data: Record<string, unknown> | null
}

export type SmsMessage = {
  id: string
  /** E.164. */
  to: string
  body: string
  messageType: 'transactional' | 'promotional'
  status: 'accepted' | 'queued' | 'sent' | 'undelivered' | 'failed' | 'delivered'
  /** 160 characters each in GSM-7, else 70. */
  segments: number
  providerMessageId: string | null
  senderId: string
  /** As it was when the message was sent. */
  senderName: string
  mode: 'live' | 'test'
  createdAt: string
  sentAt: string | null
}

export type SmsMessageList = {
  data: Array<SmsMessage>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type SmsMetrics = {
  /** The figures of each point. `total` describes them. */
  data: Array<{ at: string; accepted: number; sent: number; delivered: number; undelivered: number; failed: number; segments: number; costCents: number }>
  total: { accepted: number; sent: number; delivered: number; undelivered: number; failed: number; segments: number; costCents: number }
}

export type SmsOptOut = {
  id: string
  /** E.164. */
  phoneNumber: string
  reason: 'keyword' | 'manual'
  createdAt: string
}

export type SmsOptOutList = {
  data: Array<SmsOptOut>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type SmsSender = {
  id: string
  /** With a visible character, and without control characters and invisible ones. */
  name: string
  /**
   * The sender that recipients see. `alphanumeric_id`: 1 to 11 letters, digits and spaces, with a letter; `long_code`
   * and `toll_free`: E.164; `short_code`: 4 to 6 digits.
   */
  senderId: string
  senderType: 'alphanumeric_id' | 'long_code' | 'toll_free' | 'short_code'
  status: 'not_started' | 'pending' | 'active' | 'failed' | 'rejected' | 'suspended'
  /** A `transactional` sender sends no promotional messages; a `promotional` one sends both. */
  defaultMessageType: 'transactional' | 'promotional'
  /** ISO 3166-1 alpha-2, in capitals. */
  country: string
  providerRef: string | null
  rejectionReason: string | null
  createdAt: string
  updatedAt: string
}

export type SmsSenderChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name?: string
  /** A `transactional` sender sends no promotional messages; a `promotional` one sends both. */
  defaultMessageType?: 'transactional' | 'promotional'
}

export type SmsSenderList = {
  data: Array<SmsSender>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type Subscription = {
  plan: 'free' | 'pro' | 'scale' | 'enterprise'
  /** As the payment provider has it, such as `active` or `past_due`; `active` without a subscription. */
  status: string
  /** Null without a subscription. */
  providerSubscriptionId: string | null
  currentPeriodStart: string | null
  currentPeriodEnd: string | null
  /** Whether it ends with the period. */
  cancelAtPeriodEnd: boolean
  /** What is left of the SMS credit. */
  smsCreditCentsRemaining: number
  /** What each period begins with. */
  monthlySmsCreditCents: number
}

export type Suppression = {
  id: string
  email: string
  reason: 'unsubscribe' | 'bounce' | 'complaint' | 'manual'
  createdAt: string
}

export type SuppressionList = {
  data: Array<Suppression>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type Template = {
  id: string
  name: string
  /** Values are HTML-escaped, and percent-encoded in links. */
  html: string | null
  /** Values stand as they are. */
  text: string | null
  status: 'draft' | 'published'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  createdAt: string
  updatedAt: string
}

export type TemplateChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name?: string
  /** Values are HTML-escaped, and percent-encoded in links. */
  html?: string | null
  /** Values stand as they are. */
  text?: string | null
  /** Only `published` ones can be sent. */
  status?: 'draft' | 'published'
}

export type TemplateList = {
  data: Array<TemplateListItem>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type TemplateListItem = {
  id: string
  name: string
  status: 'draft' | 'published'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  createdAt: string
  updatedAt: string
}

export type Topic = {
  id: string
  name: string
  /** Contacts that are opted in. */
  subscriberCount: number
  createdAt: string
}

export type TopicAdditions = {
  /** Subscribed for the first time. */
  added: number
  /** Had opted out, and are opted in again. */
  reactivated: number
  alreadySubscribed: number
}

export type TopicChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name: string
}

export type TopicList = {
  data: Array<Topic>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type TriggeredExecution = {
  executionId: string
  status: 'running' | 'completed' | 'failed' | 'cancelled' | 'waiting'
}

export type Webhook = {
  id: string
  /** For marketers and viewers `[hidden]` stands in place of path and query. */
  endpointUrl: string
  events: Array<'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'>
  status: 'active' | 'inactive'
  /**
   * Whether it also gets events of messages that test keys sent, marked `"mode": "test"`. False if left out; always
   * true for a webhook of test mode.
   */
  includeTest: boolean
  /**
   * How the `webhook-` headers sign: `posthorn` signs `timestamp.body`, `standard` follows Standard Webhooks, so that
   * its libraries verify. The `svix-` headers always follow it.
   */
  signatureScheme: 'posthorn' | 'standard'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  createdAt: string
}

export type WebhookChanges = {
  /**
   * An `https://` URL without user name or password, at a public address. Outside production also `http://` on
   * `localhost` or another loopback address. Redirects are not followed.
   */
  endpointUrl?: string
  events?: Array<'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'>
  status?: 'active' | 'inactive'
  /**
   * Whether it also gets events of messages that test keys sent, marked `"mode": "test"`. False if left out; always
   * true for a webhook of test mode.
   */
  includeTest?: boolean
  /**
   * How the `webhook-` headers sign: `posthorn` signs `timestamp.body`, `standard` follows Standard Webhooks, so that
   * its libraries verify. The `svix-` headers always follow it.
   */
  signatureScheme?: 'posthorn' | 'standard'
}

export type WebhookList = {
  data: Array<Webhook>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type WebhookMetrics = {
  /** The figures of each point. `total` describes them. */
  data: Array<{ at: string; delivered: number; failed: number; attempts: number; p95Ms: number }>
  total: { delivered: number; failed: number; attempts: number; p95Ms: number }
}

export type WebhookTest = {
  eventType: 'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'
}

export type WebhookWithSecret = {
  id: string
  /** For marketers and viewers `[hidden]` stands in place of path and query. */
  endpointUrl: string
  events: Array<'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked'>
  status: 'active' | 'inactive'
  /**
   * Whether it also gets events of messages that test keys sent, marked `"mode": "test"`. False if left out; always
   * true for a webhook of test mode.
   */
  includeTest: boolean
  /**
   * How the `webhook-` headers sign: `posthorn` signs `timestamp.body`, `standard` follows Standard Webhooks, so that
   * its libraries verify. The `svix-` headers always follow it.
   */
  signatureScheme: 'posthorn' | 'standard'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  createdAt: string
  /** Shown this once. */
  signingSecret: string
}

export type WhatsappConversation = {
  id: string
  senderId: string
  /** The customer's. */
  phoneNumber: string
  /** As the customer calls himself. */
  contactName: string | null
  /** Whether a free-form message can be sent now. */
  windowOpen: boolean
  windowExpiresAt: string | null
  lastMessageAt: string
  /** Its first 120 characters. */
  lastMessagePreview: string
  createdAt: string
  /** Oldest first; the newest 1000 or 4 MiB. */
  messages: Array<WhatsappMessage>
}

export type WhatsappConversationList = {
  data: Array<WhatsappConversationListItem>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type WhatsappConversationListItem = {
  id: string
  senderId: string
  /** The customer's. */
  phoneNumber: string
  /** As the customer calls himself. */
  contactName: string | null
  /** Whether a free-form message can be sent now. */
  windowOpen: boolean
  windowExpiresAt: string | null
  lastMessageAt: string
  /** Its first 120 characters. */
  lastMessagePreview: string
  createdAt: string
}

export type WhatsappMessage = {
  id: string
  senderId: string
  conversationId: string
  direction: 'outbound' | 'inbound'
  /** E.164. */
  to: string
  /** E.164. */
  from: string
  templateId: string | null
  templateName: string | null
  variables: Array<string> | null
  /** The text of a template with its variables filled in. */
  body: string
  status: 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'
  providerMessageId: string | null
  /** Why it failed. */
  error: string | null
  mode: 'live' | 'test'
  createdAt: string
  sentAt: string | null
}

export type WhatsappMessageList = {
  data: Array<WhatsappMessage>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type WhatsappMessageWithEvents = {
  id: string
  senderId: string
  conversationId: string
  direction: 'outbound' | 'inbound'
  /** E.164. */
  to: string
  /** E.164. */
  from: string
  templateId: string | null
  templateName: string | null
  variables: Array<string> | null
  /** The text of a template with its variables filled in. */
  body: string
  status: 'accepted' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'
  providerMessageId: string | null
  /** Why it failed. */
  error: string | null
  mode: 'live' | 'test'
  createdAt: string
  sentAt: string | null
  /** Oldest first, each type once. */
  events: Array<{ id: string; type: 'sent' | 'delivered' | 'read' | 'failed' | 'outcome_unknown'; createdAt: string; data: Record<string, unknown> | null }>
}

export type WhatsappMetrics = {
  /** The figures of each point. `total` describes them. */
  data: Array<{ at: string; sent: number; delivered: number; read: number; failed: number; received: number }>
  total: { sent: number; delivered: number; read: number; failed: number; received: number }
}

export type WhatsappReply = {
  body: string
}

export type WhatsappSender = {
  id: string
  name: string
  /** E.164. */
  phoneNumber: string
  /** What readers see. With a visible character, and without control characters and invisible ones. */
  displayName: string | null
  status: 'not_started' | 'pending' | 'active' | 'failed' | 'rejected' | 'suspended'
  /** What WhatsApp calls the number. Needed to verify. */
  phoneNumberId: string | null
  /** The id of the WhatsApp Business Account. Required to verify the sender. */
  wabaId: string | null
  /** Why it is failed or rejected. */
  rejectionReason: string | null
  createdAt: string
  updatedAt: string
}

export type WhatsappSenderChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name?: string
  /** What readers see. With a visible character, and without control characters and invisible ones. */
  displayName?: string | null
  /** The id of the WhatsApp Business Account. Required to verify the sender. */
  wabaId?: string | null
  /** What WhatsApp calls the number. Needed to verify. */
  phoneNumberId?: string | null
}

export type WhatsappSenderList = {
  data: Array<WhatsappSender>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type WhatsappTemplate = {
  id: string
  /** Lowercase letters, digits and underscores. */
  name: string
  /** A language tag (BCP 47). */
  language: string
  category: 'marketing' | 'utility' | 'authentication'
  status: 'draft' | 'submitted' | 'approved' | 'rejected' | 'disabled'
  /** With placeholders `{{1}}` to `{{n}}`. */
  body: string
  variableCount: number
  /** Header, footer and buttons, as the provider takes them. At most 64 KiB. */
  components: Record<string, unknown> | null
  /** What the provider calls it. */
  providerRef: string | null
  /** Why it was rejected or disabled. */
  rejectionReason: string | null
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  createdAt: string
  updatedAt: string
}

export type WhatsappTemplateChanges = {
  /** With placeholders `{{1}}` to `{{n}}`. */
  body?: string
  category?: 'marketing' | 'utility' | 'authentication'
  /** A language tag (BCP 47). */
  language?: string
  /** Header, footer and buttons, as the provider takes them. At most 64 KiB. */
  components?: Record<string, unknown> | null
}

export type WhatsappTemplateList = {
  data: Array<WhatsappTemplate>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type Workflow = {
  id: string
  name: string
  description: string | null
  status: 'draft' | 'active' | 'inactive'
  /** On what belongs to test mode: no live key finds it. */
  mode?: 'test'
  nodes: Array<{ id: string; type: string; name: string; config: Record<string, unknown>; position: { x: number; y: number } }>
  connections: Array<{ id: string; source: string; target: string; branch: 'true' | 'false' | null }>
  /**
   * The URL that starts the workflow by POST while it is active. Null unless the workflow has the trigger
   * `webhook_received`.
   */
  triggerUrl: string | null
  /** The last part of that URL. Null unless the workflow has the trigger `webhook_received`. */
  triggerKey: string | null
  createdAt: string
}

export type WorkflowChanges = {
  /** With a visible character, and without control characters and invisible ones. */
  name?: string
  description?: string | null
  /** All nodes. Those left out are deleted. */
  nodes?: Array<{ id: string; type: string; name?: string; config?: Record<string, unknown>; position?: { x: number; y: number } }>
  /** All connections. Those left out are deleted. */
  connections?: Array<{ id: string; source: string; target: string; branch?: 'true' | 'false' | null }>
}

export type WorkflowCheck = {
  faults: Array<{ nodeId: string | null; path: string; message: string }>
}

export type WorkflowGraph = {
  nodes: Array<{ id: string; type: string; name: string; config: Record<string, unknown>; position: { x: number; y: number } }>
  connections: Array<{ id: string; source: string; target: string; branch: 'true' | 'false' | null }>
}

export type WorkflowList = {
  data: Array<Workflow>
  /** Gives the next page; null on the last one. */
  cursor: string | null
  hasMore: boolean
}

export type WorkflowMetrics = {
  /** The figures of each point. `total` describes them. */
  data: Array<{ at: string; started: number; completed: number; failed: number; cancelled: number }>
  total: { started: number; completed: number; failed: number; cancelled: number }
}

/** The body of a delivery to a webhook. Its `type` names the event. */
export type WebhookEvent = EmailSentEvent | EmailDeliveredEvent | EmailDeliveryDelayedEvent | EmailBouncedEvent | EmailComplainedEvent | EmailOpenedEvent | EmailClickedEvent

/**
 * Method and path of each operation. Then what it takes, `body`, `query` or `key` (an Idempotency-Key), and `text` or
 * `bytes` for what is not JSON.
 */
export const operations = {
  createApiKey: 'POST /v1/api-keys body',
  listApiKeys: 'GET /v1/api-keys query',
  getApiKey: 'GET /v1/api-keys/:id',
  updateApiKey: 'PATCH /v1/api-keys/:id body',
  deleteApiKey: 'DELETE /v1/api-keys/:id',
  listPlans: 'GET /v1/billing/plans query',
  listCreditEntries: 'GET /v1/billing/entries query',
  getSubscription: 'GET /v1/billing/subscription',
  createCheckout: 'POST /v1/billing/checkout body',
  createPortal: 'POST /v1/billing/portal body',
  getRateLimits: 'GET /v1/rate-limits',
  createSuppression: 'POST /v1/suppressions body',
  listSuppressions: 'GET /v1/suppressions query',
  exportSuppressions: 'GET /v1/suppressions/export query text',
  getSuppression: 'GET /v1/suppressions/:id',
  deleteSuppression: 'DELETE /v1/suppressions/:id',
  createDomain: 'POST /v1/domains body',
  listDomains: 'GET /v1/domains query',
  getDomain: 'GET /v1/domains/:id',
  updateDomain: 'PATCH /v1/domains/:id body',
  deleteDomain: 'DELETE /v1/domains/:id',
  verifyDomain: 'POST /v1/domains/:id/verify',
  rotateDomainDkim: 'POST /v1/domains/:id/rotate-dkim',
  createTemplate: 'POST /v1/templates body',
  listTemplates: 'GET /v1/templates query',
  getTemplate: 'GET /v1/templates/:id',
  updateTemplate: 'PATCH /v1/templates/:id body',
  deleteTemplate: 'DELETE /v1/templates/:id',
  createTopic: 'POST /v1/topics body',
  listTopics: 'GET /v1/topics query',
  getTopic: 'GET /v1/topics/:id',
  updateTopic: 'PATCH /v1/topics/:id body',
  deleteTopic: 'DELETE /v1/topics/:id',
  addContactsToTopic: 'POST /v1/topics/:id/contacts body',
  removeContactFromTopic: 'DELETE /v1/topics/:id/contacts/:contactId',
  createSegment: 'POST /v1/segments body',
  listSegments: 'GET /v1/segments query',
  getSegment: 'GET /v1/segments/:id',
  updateSegment: 'PATCH /v1/segments/:id body',
  deleteSegment: 'DELETE /v1/segments/:id',
  addContactsToSegment: 'POST /v1/segments/:id/contacts body',
  removeContactFromSegment: 'DELETE /v1/segments/:id/contacts/:contactId',
  createContact: 'POST /v1/contacts body',
  listContacts: 'GET /v1/contacts query',
  countContacts: 'GET /v1/contacts/count',
  exportContacts: 'GET /v1/contacts/export query text',
  importContacts: 'POST /v1/contacts/import body key',
  getContact: 'GET /v1/contacts/:id',
  updateContact: 'PATCH /v1/contacts/:id body',
  deleteContact: 'DELETE /v1/contacts/:id',
  sendEmail: 'POST /v1/emails body key',
  sendEmailBatch: 'POST /v1/emails/batch body key',
  listEmails: 'GET /v1/emails query',
  getEmail: 'GET /v1/emails/:id',
  rescheduleEmail: 'PATCH /v1/emails/:id body',
  cancelEmail: 'POST /v1/emails/:id/cancel',
  listEmailEvents: 'GET /v1/emails/:id/events',
  getEmailMessage: 'GET /v1/emails/:id/message',
  previewEmail: 'GET /v1/emails/:id/preview query text',
  getEmailAttachment: 'GET /v1/emails/:id/attachments/:n bytes',
  sendSms: 'POST /v1/sms body key',
  sendSmsBatch: 'POST /v1/sms/batch body key',
  listSms: 'GET /v1/sms query',
  getSms: 'GET /v1/sms/:id',
  listSmsEvents: 'GET /v1/sms/:id/events',
  createSmsSender: 'POST /v1/sms/senders body',
  listSmsSenders: 'GET /v1/sms/senders query',
  getSmsSender: 'GET /v1/sms/senders/:id',
  updateSmsSender: 'PATCH /v1/sms/senders/:id body',
  deleteSmsSender: 'DELETE /v1/sms/senders/:id',
  verifySmsSender: 'POST /v1/sms/senders/:id/verify',
  createSmsOptOut: 'POST /v1/sms/opt-outs body',
  listSmsOptOuts: 'GET /v1/sms/opt-outs query',
  getSmsOptOut: 'GET /v1/sms/opt-outs/:id',
  deleteSmsOptOut: 'DELETE /v1/sms/opt-outs/:id',
  sendWhatsappMessage: 'POST /v1/whatsapp/messages body key',
  listWhatsappMessages: 'GET /v1/whatsapp/messages query',
  getWhatsappMessage: 'GET /v1/whatsapp/messages/:id',
  listWhatsappConversations: 'GET /v1/whatsapp/conversations query',
  getWhatsappConversation: 'GET /v1/whatsapp/conversations/:id',
  replyToWhatsappConversation: 'POST /v1/whatsapp/conversations/:id/reply body',
  createWhatsappSender: 'POST /v1/whatsapp/senders body',
  listWhatsappSenders: 'GET /v1/whatsapp/senders query',
  getWhatsappSender: 'GET /v1/whatsapp/senders/:id',
  updateWhatsappSender: 'PATCH /v1/whatsapp/senders/:id body',
  deleteWhatsappSender: 'DELETE /v1/whatsapp/senders/:id',
  verifyWhatsappSender: 'POST /v1/whatsapp/senders/:id/verify',
  createWhatsappTemplate: 'POST /v1/whatsapp/templates body',
  listWhatsappTemplates: 'GET /v1/whatsapp/templates query',
  getWhatsappTemplate: 'GET /v1/whatsapp/templates/:id',
  updateWhatsappTemplate: 'PATCH /v1/whatsapp/templates/:id body',
  deleteWhatsappTemplate: 'DELETE /v1/whatsapp/templates/:id',
  submitWhatsappTemplate: 'POST /v1/whatsapp/templates/:id/submit',
  createBroadcast: 'POST /v1/broadcasts body',
  listBroadcasts: 'GET /v1/broadcasts query',
  getBroadcast: 'GET /v1/broadcasts/:id',
  updateBroadcast: 'PATCH /v1/broadcasts/:id body',
  deleteBroadcast: 'DELETE /v1/broadcasts/:id',
  sendBroadcast: 'POST /v1/broadcasts/:id/send key',
  cancelBroadcast: 'POST /v1/broadcasts/:id/cancel',
  getBroadcastStats: 'GET /v1/broadcasts/:id/stats',
  countBroadcastAudience: 'GET /v1/broadcasts/:id/audience',
  listBroadcastRecipients: 'GET /v1/broadcasts/:id/recipients query',
  listBroadcastLinks: 'GET /v1/broadcasts/:id/links query',
  testBroadcast: 'POST /v1/broadcasts/:id/test body',
  createPreview: 'POST /v1/previews body',
  createCredential: 'POST /v1/credentials body',
  listCredentials: 'GET /v1/credentials query',
  deleteCredential: 'DELETE /v1/credentials/:id',
  createWorkflow: 'POST /v1/workflows body',
  listWorkflows: 'GET /v1/workflows query',
  listNodeTypes: 'GET /v1/workflows/node-types query',
  getWorkflow: 'GET /v1/workflows/:id',
  updateWorkflow: 'PATCH /v1/workflows/:id body',
  deleteWorkflow: 'DELETE /v1/workflows/:id',
  activateWorkflow: 'POST /v1/workflows/:id/activate',
  checkWorkflow: 'POST /v1/workflows/:id/check',
  rotateTriggerKey: 'POST /v1/workflows/:id/rotate-trigger-key',
  duplicateWorkflow: 'POST /v1/workflows/:id/duplicate',
  startExecution: 'POST /v1/workflows/:id/executions body key',
  listExecutions: 'GET /v1/workflows/:id/executions query',
  getExecution: 'GET /v1/workflows/:id/executions/:exec_id',
  getExecutionGraph: 'GET /v1/workflows/:id/executions/:exec_id/graph',
  rerunExecution: 'POST /v1/workflows/:id/executions/:exec_id/rerun body key',
  cancelExecution: 'POST /v1/workflows/:id/executions/:exec_id/cancel',
  triggerWorkflow: 'POST /v1/workflows/triggers/:publicKey body key',
  createWebhook: 'POST /v1/webhooks body',
  listWebhooks: 'GET /v1/webhooks query',
  getWebhook: 'GET /v1/webhooks/:id',
  updateWebhook: 'PATCH /v1/webhooks/:id body',
  deleteWebhook: 'DELETE /v1/webhooks/:id',
  rotateWebhookSecret: 'POST /v1/webhooks/:id/rotate-secret',
  listDeliveries: 'GET /v1/webhooks/:id/deliveries query',
  getDelivery: 'GET /v1/webhooks/:id/deliveries/:deliveryId',
  listDeliveryAttempts: 'GET /v1/webhooks/:id/deliveries/:deliveryId/attempts query',
  testWebhook: 'POST /v1/webhooks/:id/test body',
  replayDeliveries: 'POST /v1/webhooks/:id/replay body',
  replayDelivery: 'POST /v1/webhooks/:id/deliveries/:deliveryId/replay',
  getEmailMetrics: 'GET /v1/metrics/emails query',
  getSmsMetrics: 'GET /v1/metrics/sms query',
  getWhatsappMetrics: 'GET /v1/metrics/whatsapp query',
  getWorkflowMetrics: 'GET /v1/metrics/workflows query',
  getWebhookMetrics: 'GET /v1/metrics/webhooks query',
  listInbox: 'GET /v1/inbox query',
  getInboxMessage: 'GET /v1/inbox/:id',
  previewInboxMessage: 'GET /v1/inbox/:id/preview query text',
  getInboxAttachment: 'GET /v1/inbox/:id/attachments/:n bytes',
  deleteInboxMessage: 'DELETE /v1/inbox/:id',
  clearInbox: 'DELETE /v1/inbox',
  listInboxSms: 'GET /v1/inbox/sms query',
  listInboxWhatsapp: 'GET /v1/inbox/whatsapp query',
  listInboxThreads: 'GET /v1/inbox/threads query',
  getInboxThread: 'GET /v1/inbox/threads/:channel/:phoneNumber query',
  getInstallation: 'GET /v1/installation',
  lookUp: 'GET /v1/lookup query',
  listFeed: 'GET /v1/feed query',
} as const

export type Operations = {
  createApiKey: { ids: []; body: NewApiKey; answer: CreatedApiKey }
  listApiKeys: { ids: []; query?: { limit?: number; cursor?: string }; answer: ApiKeyList }
  getApiKey: { ids: [id: string]; answer: ApiKey }
  updateApiKey: { ids: [id: string]; body: ApiKeyChanges; answer: ApiKey }
  deleteApiKey: { ids: [id: string]; answer: Deleted }
  listPlans: { ids: []; query?: { limit?: number; cursor?: string }; answer: PlanList }
  listCreditEntries: { ids: []; query?: { limit?: number; cursor?: string }; answer: CreditEntryList }
  getSubscription: { ids: []; answer: Subscription }
  createCheckout: { ids: []; body: Checkout; answer: PageUrl }
  createPortal: { ids: []; body?: Portal; answer: PageUrl }
  getRateLimits: { ids: []; answer: RateLimits }
  createSuppression: { ids: []; body: NewSuppression; answer: Suppression }
  listSuppressions: { ids: []; query?: { limit?: number; cursor?: string; search?: string; reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' }; answer: SuppressionList }
  exportSuppressions: { ids: []; query?: { search?: string; reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' }; answer: string }
  getSuppression: { ids: [id: string]; answer: Suppression }
  deleteSuppression: { ids: [id: string]; answer: Deleted }
  createDomain: { ids: []; body: NewDomain; answer: Domain }
  listDomains: { ids: []; query?: { limit?: number; cursor?: string }; answer: DomainList }
  getDomain: { ids: [id: string]; answer: Domain }
  updateDomain: { ids: [id: string]; body: DomainChanges; answer: Domain }
  deleteDomain: { ids: [id: string]; answer: Deleted }
  verifyDomain: { ids: [id: string]; answer: Domain }
  rotateDomainDkim: { ids: [id: string]; answer: Domain }
  createTemplate: { ids: []; body: NewTemplate; answer: Template }
  listTemplates: { ids: []; query?: { limit?: number; cursor?: string }; answer: TemplateList }
  getTemplate: { ids: [id: string]; answer: Template }
  updateTemplate: { ids: [id: string]; body: TemplateChanges; answer: Template }
  deleteTemplate: { ids: [id: string]; answer: Deleted }
  createTopic: { ids: []; body: NewTopic; answer: Topic }
  listTopics: { ids: []; query?: { limit?: number; cursor?: string }; answer: TopicList }
  getTopic: { ids: [id: string]; answer: Topic }
  updateTopic: { ids: [id: string]; body: TopicChanges; answer: Topic }
  deleteTopic: { ids: [id: string]; answer: Deleted }
  addContactsToTopic: { ids: [id: string]; body: ContactIds; answer: TopicAdditions }
  removeContactFromTopic: { ids: [id: string, contactId: string]; answer: Deleted }
  createSegment: { ids: []; body: NewSegment; answer: Segment }
  listSegments: { ids: []; query?: { limit?: number; cursor?: string }; answer: SegmentList }
  getSegment: { ids: [id: string]; answer: Segment }
  updateSegment: { ids: [id: string]; body: SegmentChanges; answer: Segment }
  deleteSegment: { ids: [id: string]; answer: Deleted }
  addContactsToSegment: { ids: [id: string]; body: ContactIds; answer: SegmentAdditions }
  removeContactFromSegment: { ids: [id: string, contactId: string]; answer: Deleted }
  createContact: { ids: []; body: NewContact; answer: Contact }
  listContacts: { ids: []; query?: { limit?: number; cursor?: string; search?: string; segmentId?: string; topicId?: string; unsubscribed?: boolean }; answer: ContactList }
  countContacts: { ids: []; answer: ContactCount }
  exportContacts: { ids: []; query?: { search?: string; segmentId?: string; topicId?: string; unsubscribed?: boolean }; answer: string }
  importContacts: { ids: []; body: ContactImport; answer: ContactImportResult }
  getContact: { ids: [id: string]; answer: Contact }
  updateContact: { ids: [id: string]; body: ContactChanges; answer: Contact }
  deleteContact: { ids: [id: string]; answer: Deleted }
  sendEmail: { ids: []; body: NewEmail; answer: Email }
  sendEmailBatch: { ids: []; body: NewEmailBatch; answer: EmailBatch }
  listEmails: { ids: []; query?: { limit?: number; cursor?: string; status?: 'scheduled' | 'sent' | 'delayed' | 'delivered' | 'bounced' | 'complained' | 'cancelled'; domainId?: string; tag?: string; recipient?: string; broadcastId?: string; from?: string | Date; until?: string | Date; search?: string; find?: string }; answer: EmailList }
  getEmail: { ids: [id: string]; answer: Email }
  rescheduleEmail: { ids: [id: string]; body: EmailReschedule; answer: Email }
  cancelEmail: { ids: [id: string]; answer: Email }
  listEmailEvents: { ids: [id: string]; answer: Array<EmailEvent> }
  getEmailMessage: { ids: [id: string]; answer: EmailMessage }
  previewEmail: { ids: [id: string]; query?: { images?: 'remote' }; answer: string }
  getEmailAttachment: { ids: [id: string, n: string]; answer: Uint8Array }
  sendSms: { ids: []; body: NewSmsMessage; answer: SmsMessage }
  sendSmsBatch: { ids: []; body: NewSmsBatch; answer: SmsBatch }
  listSms: { ids: []; query?: { limit?: number; cursor?: string; status?: 'accepted' | 'queued' | 'sent' | 'undelivered' | 'failed' | 'delivered'; senderId?: string; search?: string }; answer: SmsMessageList }
  getSms: { ids: [id: string]; answer: SmsMessage }
  listSmsEvents: { ids: [id: string]; answer: Array<SmsEvent> }
  createSmsSender: { ids: []; body: NewSmsSender; answer: SmsSender }
  listSmsSenders: { ids: []; query?: { limit?: number; cursor?: string }; answer: SmsSenderList }
  getSmsSender: { ids: [id: string]; answer: SmsSender }
  updateSmsSender: { ids: [id: string]; body: SmsSenderChanges; answer: SmsSender }
  deleteSmsSender: { ids: [id: string]; answer: Deleted }
  verifySmsSender: { ids: [id: string]; answer: SmsSender }
  createSmsOptOut: { ids: []; body: NewSmsOptOut; answer: SmsOptOut }
  listSmsOptOuts: { ids: []; query?: { limit?: number; cursor?: string }; answer: SmsOptOutList }
  getSmsOptOut: { ids: [id: string]; answer: SmsOptOut }
  deleteSmsOptOut: { ids: [id: string]; answer: Deleted }
  sendWhatsappMessage: { ids: []; body: NewWhatsappMessage; answer: WhatsappMessage }
  listWhatsappMessages: { ids: []; query?: { limit?: number; cursor?: string }; answer: WhatsappMessageList }
  getWhatsappMessage: { ids: [id: string]; answer: WhatsappMessageWithEvents }
  listWhatsappConversations: { ids: []; query?: { limit?: number; cursor?: string }; answer: WhatsappConversationList }
  getWhatsappConversation: { ids: [id: string]; answer: WhatsappConversation }
  replyToWhatsappConversation: { ids: [id: string]; body: WhatsappReply; answer: WhatsappMessage }
  createWhatsappSender: { ids: []; body: NewWhatsappSender; answer: WhatsappSender }
  listWhatsappSenders: { ids: []; query?: { limit?: number; cursor?: string }; answer: WhatsappSenderList }
  getWhatsappSender: { ids: [id: string]; answer: WhatsappSender }
  updateWhatsappSender: { ids: [id: string]; body: WhatsappSenderChanges; answer: WhatsappSender }
  deleteWhatsappSender: { ids: [id: string]; answer: Deleted }
  verifyWhatsappSender: { ids: [id: string]; answer: WhatsappSender }
  createWhatsappTemplate: { ids: []; body: NewWhatsappTemplate; answer: WhatsappTemplate }
  listWhatsappTemplates: { ids: []; query?: { limit?: number; cursor?: string }; answer: WhatsappTemplateList }
  getWhatsappTemplate: { ids: [id: string]; answer: WhatsappTemplate }
  updateWhatsappTemplate: { ids: [id: string]; body: WhatsappTemplateChanges; answer: WhatsappTemplate }
  deleteWhatsappTemplate: { ids: [id: string]; answer: Deleted }
  submitWhatsappTemplate: { ids: [id: string]; answer: WhatsappTemplate }
  createBroadcast: { ids: []; body: NewBroadcast; answer: Broadcast }
  listBroadcasts: { ids: []; query?: { limit?: number; cursor?: string }; answer: BroadcastList }
  getBroadcast: { ids: [id: string]; answer: Broadcast }
  updateBroadcast: { ids: [id: string]; body: BroadcastChanges; answer: Broadcast }
  deleteBroadcast: { ids: [id: string]; answer: Deleted }
  sendBroadcast: { ids: [id: string]; answer: Broadcast }
  cancelBroadcast: { ids: [id: string]; answer: Broadcast }
  getBroadcastStats: { ids: [id: string]; answer: BroadcastStats }
  countBroadcastAudience: { ids: [id: string]; answer: BroadcastAudience }
  listBroadcastRecipients: { ids: [id: string]; query?: { limit?: number; cursor?: string; status?: 'queued' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed' | 'suppressed' | 'notOptedIn' | 'cancelled' | 'failed' }; answer: BroadcastRecipientList }
  listBroadcastLinks: { ids: [id: string]; query?: { limit?: number; cursor?: string }; answer: BroadcastLinkList }
  testBroadcast: { ids: [id: string]; body: BroadcastTest; answer: BroadcastTested }
  createPreview: { ids: []; body: NewPreview; query?: { images?: 'remote' }; answer: Preview }
  createCredential: { ids: []; body: NewCredential; answer: Credential }
  listCredentials: { ids: []; query?: { limit?: number; cursor?: string }; answer: CredentialList }
  deleteCredential: { ids: [id: string]; answer: Deleted }
  createWorkflow: { ids: []; body: NewWorkflow; answer: Workflow }
  listWorkflows: { ids: []; query?: { limit?: number; cursor?: string }; answer: WorkflowList }
  listNodeTypes: { ids: []; query?: { limit?: number; cursor?: string }; answer: NodeTypeList }
  getWorkflow: { ids: [id: string]; answer: Workflow }
  updateWorkflow: { ids: [id: string]; body: WorkflowChanges; answer: Workflow }
  deleteWorkflow: { ids: [id: string]; answer: Deleted }
  activateWorkflow: { ids: [id: string]; answer: Workflow }
  checkWorkflow: { ids: [id: string]; answer: WorkflowCheck }
  rotateTriggerKey: { ids: [id: string]; answer: Workflow }
  duplicateWorkflow: { ids: [id: string]; answer: Workflow }
  startExecution: { ids: [id: string]; body?: NewExecution; answer: Execution }
  listExecutions: { ids: [id: string]; query?: { status?: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'; limit?: number; cursor?: string }; answer: ExecutionList }
  getExecution: { ids: [id: string, exec_id: string]; answer: ExecutionDetail }
  getExecutionGraph: { ids: [id: string, exec_id: string]; answer: WorkflowGraph }
  rerunExecution: { ids: [id: string, exec_id: string]; body?: ExecutionRerun; answer: Execution }
  cancelExecution: { ids: [id: string, exec_id: string]; answer: Execution }
  triggerWorkflow: { ids: [publicKey: string]; body?: unknown; answer: TriggeredExecution }
  createWebhook: { ids: []; body: NewWebhook; answer: WebhookWithSecret }
  listWebhooks: { ids: []; query?: { limit?: number; cursor?: string }; answer: WebhookList }
  getWebhook: { ids: [id: string]; answer: Webhook }
  updateWebhook: { ids: [id: string]; body: WebhookChanges; answer: Webhook }
  deleteWebhook: { ids: [id: string]; answer: Deleted }
  rotateWebhookSecret: { ids: [id: string]; answer: WebhookWithSecret }
  listDeliveries: { ids: [id: string]; query?: { limit?: number; cursor?: string; status?: 'pending' | 'delivered' | 'failed'; eventType?: 'email.sent' | 'email.delivered' | 'email.delivery_delayed' | 'email.bounced' | 'email.complained' | 'email.opened' | 'email.clicked' }; answer: DeliveryList }
  getDelivery: { ids: [id: string, deliveryId: string]; answer: DeliveryWithPayload }
  listDeliveryAttempts: { ids: [id: string, deliveryId: string]; query?: { limit?: number; cursor?: string }; answer: DeliveryAttemptList }
  testWebhook: { ids: [id: string]; body: WebhookTest; answer: DeliveryWithPayload }
  replayDeliveries: { ids: [id: string]; body: DeliveryReplay; answer: DeliveriesReplayed }
  replayDelivery: { ids: [id: string, deliveryId: string]; answer: DeliveryWithPayload }
  getEmailMetrics: { ids: []; query?: { from?: string | Date; until?: string | Date; interval?: 'hour' | 'day'; timezone?: string; domainId?: string; broadcastId?: string; workflowId?: string; tag?: string }; answer: EmailMetrics }
  getSmsMetrics: { ids: []; query?: { from?: string | Date; until?: string | Date; interval?: 'hour' | 'day'; timezone?: string }; answer: SmsMetrics }
  getWhatsappMetrics: { ids: []; query?: { from?: string | Date; until?: string | Date; interval?: 'hour' | 'day'; timezone?: string }; answer: WhatsappMetrics }
  getWorkflowMetrics: { ids: []; query?: { from?: string | Date; until?: string | Date; interval?: 'hour' | 'day'; timezone?: string; workflowId?: string }; answer: WorkflowMetrics }
  getWebhookMetrics: { ids: []; query?: { from?: string | Date; until?: string | Date; interval?: 'hour' | 'day'; timezone?: string }; answer: WebhookMetrics }
  listInbox: { ids: []; query?: { limit?: number; cursor?: string; search?: string }; answer: InboxList }
  getInboxMessage: { ids: [id: string]; answer: InboxMessage }
  previewInboxMessage: { ids: [id: string]; query?: { images?: 'remote' }; answer: string }
  getInboxAttachment: { ids: [id: string, n: string]; answer: Uint8Array }
  deleteInboxMessage: { ids: [id: string]; answer: Deleted }
  clearInbox: { ids: []; answer: InboxCleared }
  listInboxSms: { ids: []; query?: { limit?: number; cursor?: string; search?: string }; answer: InboxSmsList }
  listInboxWhatsapp: { ids: []; query?: { limit?: number; cursor?: string; search?: string }; answer: InboxWhatsappList }
  listInboxThreads: { ids: []; query?: { limit?: number; cursor?: string; channel?: 'sms' | 'whatsapp' }; answer: InboxThreadList }
  getInboxThread: { ids: [channel: string, phoneNumber: string]; query?: { limit?: number; cursor?: string }; answer: InboxThreadMessageList }
  getInstallation: { ids: []; answer: Installation }
  lookUp: { ids: []; query: { id: string }; answer: Lookup }
  listFeed: { ids: []; query?: { after?: string; types?: string; limit?: number }; answer: FeedEntryList }
}
