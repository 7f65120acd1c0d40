import type { Answer } from './answer.ts'
import type { Email, EmailBatch, NewSmsBatch, SmsBatch, Template } from './api.ts'
import { Client } from './client.ts'
import type { EmailToSend } from './email.ts'
import type { FeedOptions, StreamedEntry } from './feed.ts'
import { makeMethods } from './methods.ts'
import type { RequestOptions } from './request.ts'

/** The API of a Posthorn server. Each method is one operation of its description at `/docs`. */
export class Posthorn extends Client {
  readonly #made = makeMethods(
    (id) => this.call(id),
    (id, place) => this.list(id, place),
  )

  readonly emails = {
    ...this.#made.emails,
    send: (email: EmailToSend, options?: RequestOptions): Answer<Email> =>
      this.later('sendEmail', () => this.written(email), options),
    sendBatch: (emails: EmailToSend[], options?: RequestOptions): Answer<EmailBatch> => {
      const written = async () => ({ emails: await Promise.all(emails.map((email) => this.written(email))) })
      return this.later('sendEmailBatch', written, options)
    },
  }

  readonly sms = {
    ...this.#made.sms,
    sendBatch: (messages: NewSmsBatch['messages'] | NewSmsBatch, options?: RequestOptions): Answer<SmsBatch> =>
      this.later('sendSmsBatch', async () => (Array.isArray(messages) ? { messages } : messages), options),
  }

  readonly templates = {
    ...this.#made.templates,
    publish: (id: string, options?: RequestOptions): Answer<Template> =>
      this.#made.templates.update(id, { status: 'published' }, options),
    unpublish: (id: string, options?: RequestOptions): Answer<Template> =>
      this.#made.templates.update(id, { status: 'draft' }, options),
  }

  /** The events of emails, oldest first. `list` goes on from the `cursor` of an answer, given as `after`. */
  readonly feed = {
    ...this.#made.feed,
    stream: (options?: FeedOptions): AsyncGenerator<StreamedEntry, void> => this.follow(options),
  }

  readonly whatsapp = this.#made.whatsapp
  readonly contacts = this.#made.contacts
  readonly segments = this.#made.segments
  readonly topics = this.#made.topics
  readonly suppressions = this.#made.suppressions
  readonly broadcasts = this.#made.broadcasts
  readonly domains = this.#made.domains
  readonly webhooks = this.#made.webhooks
  readonly workflows = this.#made.workflows
  readonly inbox = this.#made.inbox
  readonly apiKeys = this.#made.apiKeys
  readonly credentials = this.#made.credentials
  readonly billing = this.#made.billing
  readonly metrics = this.#made.metrics
  readonly limits = this.#made.limits
  readonly previews = this.#made.previews
  readonly installation = this.#made.installation
  readonly lookup = this.#made.lookup
}
