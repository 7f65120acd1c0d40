import { adds, hints, reads, sends, sets, type Tool, type Toolset } from './tool.ts'

type Row = Omit<Tool, 'toolset'>

const usual: Row[] = [
  {
    name: 'send_email',
    title: 'Send an email',
    description: 'Sends one email now, or at scheduledAt. With an idempotencyKey a repeated call sends nothing again.',
    operationId: 'sendEmail',
    ...sends('email'),
  },
  {
    name: 'send_email_batch',
    title: 'Send several emails',
    description:
      'Sends up to 100 different emails. All are checked before the first is sent. Give an idempotencyKey, as for send_email.',
    operationId: 'sendEmailBatch',
    ...sends('emails'),
  },
  {
    name: 'list_emails',
    title: 'List emails',
    description: 'Lists sent and scheduled emails with their status, newest first.',
    operationId: 'listEmails',
    ...reads,
  },
  {
    name: 'get_email',
    title: 'Get an email',
    description: 'Returns one email with its content and status.',
    operationId: 'getEmail',
    ...reads,
  },
  {
    name: 'list_email_events',
    title: 'List the events of an email',
    description: 'Tells what happened to one email: sent, delivered, bounced with the reason, opened, clicked.',
    operationId: 'listEmailEvents',
    ...reads,
  },
  {
    name: 'reschedule_email',
    title: 'Reschedule an email',
    description: 'Moves a scheduled email to another time.',
    operationId: 'rescheduleEmail',
    ...hints(false, true, true, true),
    recipients: 'waiting',
  },
  {
    name: 'cancel_email',
    title: 'Cancel an email',
    description: 'Cancels a scheduled email before it is sent.',
    operationId: 'cancelEmail',
    ...sets,
  },
  {
    name: 'list_inbox',
    title: 'List captured emails',
    description: 'Lists emails that were captured, not delivered, as test keys and development servers do.',
    operationId: 'listInbox',
    ...reads,
  },
  {
    name: 'get_inbox_message',
    title: 'Get a captured email',
    description: 'Returns one captured email with its headers and content.',
    operationId: 'getInboxMessage',
    ...reads,
  },
  {
    name: 'list_domains',
    title: 'List domains',
    description: 'Lists the sending domains and whether they are verified.',
    operationId: 'listDomains',
    ...reads,
  },
  {
    name: 'get_domain',
    title: 'Get a domain',
    description: 'Returns one sending domain with the DNS records that it needs.',
    operationId: 'getDomain',
    ...reads,
  },
  {
    name: 'verify_domain',
    title: 'Verify a domain',
    description: 'Looks up the DNS records of a domain and verifies it if they are there.',
    operationId: 'verifyDomain',
    ...hints(false, false, true, true),
    recipients: 'none',
  },
  {
    name: 'list_contacts',
    title: 'List contacts',
    description: 'Lists or searches the contacts.',
    operationId: 'listContacts',
    ...reads,
  },
  {
    name: 'create_contact',
    title: 'Create a contact',
    description: 'Adds a contact, who may then get broadcasts.',
    operationId: 'createContact',
    ...adds,
    recipients: 'newContact',
  },
  {
    name: 'update_contact',
    title: 'Change a contact',
    description: 'Changes the given fields of a contact, also whether it is unsubscribed.',
    operationId: 'updateContact',
    ...sets,
    recipients: 'contact',
  },
  {
    name: 'list_segments',
    title: 'List segments',
    description: 'Lists the segments, which are the groups of contacts that broadcasts go to.',
    operationId: 'listSegments',
    ...reads,
  },
  {
    name: 'add_contacts_to_segment',
    title: 'Add contacts to a segment',
    description: 'Puts contacts into a segment.',
    operationId: 'addContactsToSegment',
    ...hints(false, false, true, false),
    recipients: 'members',
  },
  {
    name: 'list_suppressions',
    title: 'List suppressions',
    description: 'Lists the addresses that get no email, and why: bounce, complaint, unsubscribe or by hand.',
    operationId: 'listSuppressions',
    ...reads,
  },
  {
    name: 'list_templates',
    title: 'List templates',
    description: 'Lists the email templates. Published ones can be sent with templateId.',
    operationId: 'listTemplates',
    ...reads,
  },
  {
    name: 'create_broadcast',
    title: 'Create a broadcast',
    description: 'Makes a draft of an email to a segment. It sends nothing: send_broadcast does.',
    operationId: 'createBroadcast',
    ...adds,
    recipients: 'draft',
  },
  {
    name: 'send_broadcast',
    title: 'Send a broadcast',
    description:
      'Sends a broadcast to its whole segment. Without confirm: true it tells how many would get it and sends nothing. Confirm only after a person has agreed to the number.',
    operationId: 'sendBroadcast',
    ...sends('broadcast'),
    unconfirmed: 'countBroadcastAudience',
  },
  {
    name: 'get_broadcast_stats',
    title: 'Get the statistics of a broadcast',
    description: 'Counts how many got, opened, clicked or bounced a broadcast.',
    operationId: 'getBroadcastStats',
    ...reads,
  },
  {
    name: 'send_sms',
    title: 'Send an SMS',
    description: 'Sends one text message, which costs money. Give an idempotencyKey, as for send_email.',
    operationId: 'sendSms',
    ...sends('phone'),
  },
  {
    name: 'get_rate_limits',
    title: 'Get the limits',
    description: 'Returns the limits of the plan and what is left of them today.',
    operationId: 'getRateLimits',
    ...reads,
  },
]

const further: Record<Exclude<Toolset, 'default'>, Row[]> = {
  whatsapp: [
    {
      name: 'send_whatsapp_message',
      title: 'Send a WhatsApp message',
      description: 'Sends one WhatsApp message. Give an idempotencyKey, as for send_email.',
      operationId: 'sendWhatsappMessage',
      ...sends('phone'),
    },
  ],
  workflows: [
    {
      name: 'list_workflows',
      title: 'List workflows',
      description: 'Lists the workflows and whether they are active.',
      operationId: 'listWorkflows',
      ...reads,
    },
    {
      name: 'start_execution',
      title: 'Run a workflow',
      description: 'Starts an active workflow, which may send messages. Give an idempotencyKey, as for send_email.',
      operationId: 'startExecution',
      ...sends('workflow'),
    },
    {
      name: 'list_executions',
      title: 'List the executions of a workflow',
      description: 'Lists the runs of a workflow with their status, newest first.',
      operationId: 'listExecutions',
      ...reads,
    },
  ],
  webhooks: [
    {
      name: 'list_webhooks',
      title: 'List webhooks',
      description: 'Lists the webhooks and the events that they get.',
      operationId: 'listWebhooks',
      ...reads,
    },
    {
      name: 'list_deliveries',
      title: 'List the deliveries of a webhook',
      description: 'Lists what was delivered to a webhook, and what failed.',
      operationId: 'listDeliveries',
      ...reads,
    },
  ],
  admin: [
    {
      name: 'list_api_keys',
      title: 'List API keys',
      description: 'Lists the API keys with their permissions and last uses, without the keys themselves.',
      operationId: 'listApiKeys',
      ...reads,
    },
  ],
}

export const toolsets = Object.keys(further) as Exclude<Toolset, 'default'>[]

export const tools: Tool[] = [
  ...usual.map((row) => ({ ...row, toolset: 'default' as const })),
  ...toolsets.flatMap((toolset) => further[toolset].map((row) => ({ ...row, toolset }))),
]
