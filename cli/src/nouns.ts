import { nameParts } from '../../src/contacts/fields.ts'
import type { OperationId } from './operations.ts'

/** How a thing is found by what people call it. */
export type Finder = {
  list: OperationId
  /** The fields that may hold the word. */
  by: readonly string[]
  /** The list has a search, which looks into the field. */
  hasSearch?: true
  /** For a person. */
  word: string
}

type Noun = {
  summary: string
  /** The columns of its lists. */
  columns?: readonly string[]
  find?: Finder
  /** The verb of the noun alone. */
  usual?: string
}

/** The nouns of the command line, in the order of the help. */
export const nouns: Readonly<Record<string, Noun>> = {
  emails: { summary: 'emails and what became of them', columns: ['id', 'status', 'to', 'subject', 'createdAt'] },
  inbox: { summary: 'what a local server captured', columns: ['id', 'from', 'to', 'subject', 'createdAt'] },
  domains: {
    summary: 'sending domains and their DNS records',
    columns: ['name', 'status', 'region', 'createdAt'],
    find: { list: 'listDomains', by: ['name'], word: 'NAME' },
  },
  contacts: {
    summary: 'people',
    columns: ['email', ...nameParts, 'unsubscribed', 'createdAt'],
    find: { list: 'listContacts', by: ['email'], hasSearch: true, word: 'ADDRESS' },
  },
  segments: {
    summary: 'groups of contacts',
    columns: ['id', 'name', 'contactCount', 'createdAt'],
    find: { list: 'listSegments', by: ['name'], word: 'NAME' },
  },
  topics: {
    summary: 'what contacts can subscribe to',
    columns: ['id', 'name', 'subscriberCount', 'createdAt'],
    find: { list: 'listTopics', by: ['name'], word: 'NAME' },
  },
  templates: {
    summary: 'templates of emails',
    columns: ['id', 'name', 'status', 'updatedAt'],
    find: { list: 'listTemplates', by: ['name'], word: 'NAME' },
  },
  suppressions: {
    summary: 'addresses that are not sent to',
    columns: ['email', 'reason', 'createdAt'],
    find: { list: 'listSuppressions', by: ['email'], hasSearch: true, word: 'ADDRESS' },
  },
  broadcasts: {
    summary: 'emails to a segment',
    columns: ['id', 'name', 'status', 'subject', 'createdAt'],
    find: { list: 'listBroadcasts', by: ['name'], word: 'NAME' },
  },
  workflows: {
    summary: 'automations, and their executions',
    columns: ['id', 'name', 'status', 'createdAt'],
    find: { list: 'listWorkflows', by: ['name'], word: 'NAME' },
  },
  'workflows executions': {
    summary: 'runs of a workflow',
    columns: ['id', 'status', 'startedAt', 'completedAt', 'error'],
  },
  sms: { summary: 'text messages, senders and opt-outs', columns: ['id', 'status', 'to', 'body', 'createdAt'] },
  'sms senders': {
    summary: 'senders of text messages',
    columns: ['id', 'name', 'senderId', 'status', 'country'],
    find: { list: 'listSmsSenders', by: ['name', 'senderId'], word: 'NAME' },
  },
  'sms opt-outs': {
    summary: 'numbers that are not sent to',
    columns: ['phoneNumber', 'reason', 'createdAt'],
    find: { list: 'listSmsOptOuts', by: ['phoneNumber'], word: 'NUMBER' },
  },
  whatsapp: {
    summary: 'WhatsApp messages, senders, templates and conversations',
    columns: ['id', 'direction', 'status', 'to', 'body', 'createdAt'],
  },
  'whatsapp senders': {
    summary: 'senders of WhatsApp messages',
    columns: ['id', 'name', 'phoneNumber', 'status'],
    find: { list: 'listWhatsappSenders', by: ['name', 'phoneNumber'], word: 'NAME' },
  },
  'whatsapp templates': {
    summary: 'templates that WhatsApp approves',
    columns: ['id', 'name', 'language', 'status'],
    find: { list: 'listWhatsappTemplates', by: ['name'], word: 'NAME' },
  },
  'whatsapp conversations': {
    summary: 'conversations with customers',
    columns: ['id', 'phoneNumber', 'windowOpen', 'lastMessagePreview'],
    find: { list: 'listWhatsappConversations', by: ['phoneNumber'], word: 'NUMBER' },
  },
  webhooks: {
    summary: 'webhooks and their deliveries',
    columns: ['id', 'endpointUrl', 'status', 'events'],
    find: { list: 'listWebhooks', by: ['endpointUrl'], word: 'URL' },
  },
  'webhooks deliveries': {
    summary: 'deliveries of a webhook',
    columns: ['id', 'eventType', 'status', 'attempts', 'responseStatusCode', 'createdAt'],
  },
  keys: {
    summary: 'API keys',
    columns: ['id', 'name', 'keyPrefix', 'mode', 'permission', 'lastUsedAt'],
    find: { list: 'listApiKeys', by: ['name'], word: 'NAME' },
  },
  credentials: {
    summary: 'secrets of workflows',
    columns: ['id', 'name', 'type', 'createdAt'],
    find: { list: 'listCredentials', by: ['name'], word: 'NAME' },
  },
  limits: { summary: 'the limits of the team, and what is used', usual: 'get' },
}

/** Returns the noun of a command, such as `sms senders` of `sms senders list`. */
export function nounOf(name: string): string {
  return name.split(' ').slice(0, -1).join(' ')
}

/** Returns how the things behind a field that holds ids are found. */
export function finderOfField(name: string, field: string): Finder | undefined {
  const own = name.split(' ')[0] === 'whatsapp' ? 'whatsapp ' : ''
  const things: Readonly<Record<string, string>> = {
    segmentId: 'segments',
    topicId: 'topics',
    domainId: 'domains',
    contactId: 'contacts',
    contactIds: 'contacts',
    broadcastId: 'broadcasts',
    senderId: own ? 'whatsapp senders' : 'sms senders',
    templateId: `${own}templates`,
  }
  return nouns[things[field] ?? '']?.find
}

/** Returns how the things behind a path parameter are found. `:id` is the first noun's. */
export function finderOf(name: string, param: string): Finder | undefined {
  if (param === 'contactId') return nouns.contacts!.find
  if (param !== 'id') return undefined
  const noun = nounOf(name)
  return (noun === 'workflows executions' || noun === 'webhooks deliveries' ? nouns[noun.split(' ')[0]!] : nouns[noun])
    ?.find
}
