import type { Answer } from './answer.ts'
import type { Email, EmailBatch, NewSmsBatch, SmsBatch, Template } from './api.ts'
import { Client } from './client.ts'
import type { EmailToSend } from './email.ts'
import type { FeedOptions, StreamedEntry } from './feed.ts'
import type { RequestOptions } from './request.ts'

/** The API of a Posthorn server. Each method is one operation of its description at `/docs`. */
export class Posthorn extends Client {
  readonly emails = {
    send: (email: EmailToSend, options?: RequestOptions): Answer<Email> =>
      this.later('sendEmail', () => this.written(email), options),
    sendBatch: (emails: EmailToSend[], options?: RequestOptions): Answer<EmailBatch> => {
      const written = async () => ({ emails: await Promise.all(emails.map((email) => this.written(email))) })
      return this.later('sendEmailBatch', written, options)
    },
    list: this.list('listEmails'),
    get: this.call('getEmail'),
    reschedule: this.call('rescheduleEmail'),
    cancel: this.call('cancelEmail'),
    events: this.call('listEmailEvents'),
    message: this.call('getEmailMessage'),
    preview: this.call('previewEmail'),
    attachment: this.call('getEmailAttachment'),
  }

  readonly sms = {
    send: this.call('sendSms'),
    sendBatch: (messages: NewSmsBatch['messages'] | NewSmsBatch, options?: RequestOptions): Answer<SmsBatch> =>
      this.later('sendSmsBatch', async () => (Array.isArray(messages) ? { messages } : messages), options),
    list: this.list('listSms'),
    get: this.call('getSms'),
    events: this.call('listSmsEvents'),
    senders: {
      create: this.call('createSmsSender'),
      list: this.list('listSmsSenders'),
      get: this.call('getSmsSender'),
      update: this.call('updateSmsSender'),
      delete: this.call('deleteSmsSender'),
      verify: this.call('verifySmsSender'),
    },
    optOuts: {
      create: this.call('createSmsOptOut'),
      list: this.list('listSmsOptOuts'),
      get: this.call('getSmsOptOut'),
      delete: this.call('deleteSmsOptOut'),
    },
  }

  readonly whatsapp = {
    messages: {
      send: this.call('sendWhatsappMessage'),
      list: this.list('listWhatsappMessages'),
      get: this.call('getWhatsappMessage'),
    },
    templates: {
      create: this.call('createWhatsappTemplate'),
      list: this.list('listWhatsappTemplates'),
      get: this.call('getWhatsappTemplate'),
      update: this.call('updateWhatsappTemplate'),
      delete: this.call('deleteWhatsappTemplate'),
      submit: this.call('submitWhatsappTemplate'),
    },
    senders: {
      create: this.call('createWhatsappSender'),
      list: this.list('listWhatsappSenders'),
      get: this.call('getWhatsappSender'),
      update: this.call('updateWhatsappSender'),
      delete: this.call('deleteWhatsappSender'),
      verify: this.call('verifyWhatsappSender'),
    },
    conversations: {
      list: this.list('listWhatsappConversations'),
      get: this.call('getWhatsappConversation'),
      reply: this.call('replyToWhatsappConversation'),
    },
  }

  readonly contacts = {
    create: this.call('createContact'),
    list: this.list('listContacts'),
    get: this.call('getContact'),
    update: this.call('updateContact'),
    delete: this.call('deleteContact'),
    import: this.call('importContacts'),
    count: this.call('countContacts'),
    export: this.call('exportContacts'),
  }

  readonly segments = {
    create: this.call('createSegment'),
    list: this.list('listSegments'),
    get: this.call('getSegment'),
    update: this.call('updateSegment'),
    delete: this.call('deleteSegment'),
    addContacts: this.call('addContactsToSegment'),
    removeContact: this.call('removeContactFromSegment'),
  }

  readonly topics = {
    create: this.call('createTopic'),
    list: this.list('listTopics'),
    get: this.call('getTopic'),
    update: this.call('updateTopic'),
    delete: this.call('deleteTopic'),
    addContacts: this.call('addContactsToTopic'),
    removeContact: this.call('removeContactFromTopic'),
  }

  readonly suppressions = {
    create: this.call('createSuppression'),
    list: this.list('listSuppressions'),
    get: this.call('getSuppression'),
    delete: this.call('deleteSuppression'),
    export: this.call('exportSuppressions'),
  }

  readonly templates = {
    create: this.call('createTemplate'),
    list: this.list('listTemplates'),
    get: this.call('getTemplate'),
    update: this.call('updateTemplate'),
    delete: this.call('deleteTemplate'),
    publish: (id: string, options?: RequestOptions): Answer<Template> =>
      this.templates.update(id, { status: 'published' }, options),
    unpublish: (id: string, options?: RequestOptions): Answer<Template> =>
      this.templates.update(id, { status: 'draft' }, options),
  }

  readonly broadcasts = {
    create: this.call('createBroadcast'),
    list: this.list('listBroadcasts'),
    get: this.call('getBroadcast'),
    update: this.call('updateBroadcast'),
    delete: this.call('deleteBroadcast'),
    send: this.call('sendBroadcast'),
    cancel: this.call('cancelBroadcast'),
    stats: this.call('getBroadcastStats'),
    audience: this.call('countBroadcastAudience'),
    recipients: this.list('listBroadcastRecipients'),
    links: this.list('listBroadcastLinks'),
    test: this.call('testBroadcast'),
  }

  readonly domains = {
    create: this.call('createDomain'),
    list: this.list('listDomains'),
    get: this.call('getDomain'),
    update: this.call('updateDomain'),
    delete: this.call('deleteDomain'),
    verify: this.call('verifyDomain'),
    rotateDkim: this.call('rotateDomainDkim'),
  }

  readonly webhooks = {
    create: this.call('createWebhook'),
    list: this.list('listWebhooks'),
    get: this.call('getWebhook'),
    update: this.call('updateWebhook'),
    delete: this.call('deleteWebhook'),
    rotateSecret: this.call('rotateWebhookSecret'),
    test: this.call('testWebhook'),
    deliveries: {
      list: this.list('listDeliveries'),
      get: this.call('getDelivery'),
      replay: this.call('replayDelivery'),
      replayFailed: this.call('replayDeliveries'),
      attempts: this.list('listDeliveryAttempts'),
    },
  }

  readonly workflows = {
    create: this.call('createWorkflow'),
    list: this.list('listWorkflows'),
    get: this.call('getWorkflow'),
    update: this.call('updateWorkflow'),
    delete: this.call('deleteWorkflow'),
    activate: this.call('activateWorkflow'),
    duplicate: this.call('duplicateWorkflow'),
    check: this.call('checkWorkflow'),
    rotateTriggerKey: this.call('rotateTriggerKey'),
    trigger: this.call('triggerWorkflow'),
    nodeTypes: this.list('listNodeTypes'),
    executions: {
      start: this.call('startExecution'),
      list: this.list('listExecutions'),
      get: this.call('getExecution'),
      graph: this.call('getExecutionGraph'),
      rerun: this.call('rerunExecution'),
      cancel: this.call('cancelExecution'),
    },
  }

  /** The events of emails, oldest first. `list` goes on from the `cursor` of an answer, given as `after`. */
  readonly feed = {
    list: this.list('listFeed', 'after'),
    stream: (options?: FeedOptions): AsyncGenerator<StreamedEntry, void> => this.follow(options),
  }

  readonly inbox = {
    list: this.list('listInbox'),
    get: this.call('getInboxMessage'),
    delete: this.call('deleteInboxMessage'),
    clear: this.call('clearInbox'),
    preview: this.call('previewInboxMessage'),
    attachment: this.call('getInboxAttachment'),
    sms: this.list('listInboxSms'),
    whatsapp: this.list('listInboxWhatsapp'),
    threads: this.list('listInboxThreads'),
    thread: this.list('getInboxThread'),
  }

  readonly apiKeys = {
    create: this.call('createApiKey'),
    list: this.list('listApiKeys'),
    get: this.call('getApiKey'),
    update: this.call('updateApiKey'),
    delete: this.call('deleteApiKey'),
  }

  readonly credentials = {
    create: this.call('createCredential'),
    list: this.list('listCredentials'),
    delete: this.call('deleteCredential'),
  }

  readonly billing = {
    plans: this.list('listPlans'),
    entries: this.list('listCreditEntries'),
    subscription: this.call('getSubscription'),
    checkout: this.call('createCheckout'),
    portal: this.call('createPortal'),
  }

  readonly metrics = {
    emails: this.call('getEmailMetrics'),
    sms: this.call('getSmsMetrics'),
    whatsapp: this.call('getWhatsappMetrics'),
    workflows: this.call('getWorkflowMetrics'),
    webhooks: this.call('getWebhookMetrics'),
  }

  readonly limits = { get: this.call('getRateLimits') }
  readonly previews = { create: this.call('createPreview') }
  readonly installation = { get: this.call('getInstallation') }
  readonly lookup = this.call('lookUp')
}
