import type { Logger } from 'pino'
import type { Config } from '../context.ts'
import type { Mode } from '../platform/mode/mode.ts'
import type { Names } from '../platform/names/names.ts'
import { declaresProviders, type ProviderModule } from '../platform/provider.ts'

declare module '../context.ts' {
  interface Providers {
    whatsapp: Record<Mode, WhatsappProvider>
  }
}

/**
 * One message, as a WhatsApp provider receives it. A provider makes one attempt and reports the outcome as a value: it
 * does not throw when the other side fails, and it knows nothing about rows. Each provider is one module under
 * `providers/`.
 */
export type OutboundWhatsapp = {
  teamId: string
  messageId: string
  phoneNumberId: string
  wabaId: string
  /** In E.164 form. */
  from: string
  /** In E.164 form. */
  to: string
  content:
    | { kind: 'text'; body: string }
    | {
        kind: 'template'
        name: string
        language: string
        variables: string[]
        components: Record<string, unknown> | null
        /** The text that the recipient sees, with placeholders filled. */
        body: string
      }
}

export type WhatsappAnswer =
  /**
   * Accepted. `customerNumber` is the number under which the provider knows the customer, in E.164, if it is another
   * one.
   */
  | { kind: 'accepted'; providerMessageId: string; data: Record<string, unknown> | null; customerNumber?: string }
  /** Refused permanently. The message is stored as failed. `isMarketingStop`: the customer wants no marketing. */
  | { kind: 'refused'; message: string; data: Record<string, unknown> | null; isMarketingStop?: boolean }
  /** Nothing was sent. */
  | { kind: 'unavailable'; message: string }
  /** The connection was lost after the request was written. The message may have been sent and is never repeated. */
  | { kind: 'unknown'; message: string }

export type WhatsappRegistrationAnswer =
  | { kind: 'active' }
  | { kind: 'failed' | 'rejected'; reason: string }
  | { kind: 'unavailable'; message: string }

export type WhatsappTemplateSubmission = {
  teamId: string
  templateId: string
  wabaId: string
  name: string
  language: string
  category: 'marketing' | 'utility' | 'authentication'
  body: string
  variableCount: number
  components: Record<string, unknown> | null
  /** The provider's id from an earlier submission to this account. */
  providerRef: string | null
  /**
   * True if we already submitted it: an existing template of that name is ours. Otherwise that template is left alone.
   */
  wasHandedIn: boolean
}

export type WhatsappSubmissionAnswer =
  | { kind: 'submitted'; providerRef: string | null }
  | { kind: 'refused'; message: string }
  /** Nothing was submitted. */
  | { kind: 'unavailable'; message: string }
  /** It may have been submitted. It can be submitted again safely. */
  | { kind: 'unknown'; message: string }

export type WhatsappProvider = {
  name: string
  send(message: OutboundWhatsapp): Promise<WhatsappAnswer>
  registerSender(sender: {
    teamId: string
    phoneNumberId: string
    wabaId: string
    phoneNumber: string
    displayName: string | null
  }): Promise<WhatsappRegistrationAnswer>
  /** Submits to the `wabaId` of an active sender of the team. */
  submitTemplate(template: WhatsappTemplateSubmission): Promise<WhatsappSubmissionAnswer>
  close(): Promise<void>
}

/**
 * An event of a provider. `/v1/whatsapp/webhooks/inbound` accepts all but `marketing`. `messageId` is our id, if the
 * provider returns it.
 */
export type WhatsappInboundEvent =
  | {
      type: 'message'
      phoneNumberId: string
      from: string
      text: string
      providerMessageId: string
      contactName?: string | null
      /** The time the message was written; the time of receipt if left out. */
      at?: Date | null
      /** Set by `capture`: the message is to a sender of this team alone. In test mode it is one of the live team. */
      ofTeam?: string
    }
  | {
      type: 'status'
      providerMessageId: string
      messageId?: string | null
      status: 'sent' | 'delivered' | 'read' | 'failed'
      data?: Record<string, unknown> | null
      /** True for a failure because the customer wants no marketing. */
      isMarketingStop?: boolean
    }
  | {
      /**
       * The customer's choice about marketing. The signed endpoint does not accept it; the routes of a provider report
       * it.
       */
      type: 'marketing'
      phoneNumberId: string
      from: string
      choice: 'stop' | 'resume'
      at: Date | null
    }
  | {
      type: 'template_status'
      wabaId: string
      templateName: string
      language: string
      status: 'approved' | 'rejected' | 'disabled'
      reason?: string | null
      /** Set by `capture`: the template is one of this team alone. */
      ofTeam?: string
    }

/** The parts of the app that a provider may use. */
type WhatsappProviderParts = {
  config: Config
  log: Logger
  names: Names
  /** Keeps a message in the inbox, for `capture`. */
  store(message: OutboundWhatsapp): Promise<void>
}

export type WhatsappProviderModule = ProviderModule<WhatsappProviderParts, WhatsappProvider>

export const defineWhatsappProvider = declaresProviders<WhatsappProviderParts, WhatsappProvider>()
