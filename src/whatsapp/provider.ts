/**
 * The port every WhatsApp provider fills, one file each under `providers/`. It never throws for what a peer does, makes one
 * attempt, and knows nothing of rows.
 */
export type OutboundWhatsapp = {
  teamId: string
  messageId: string
  phoneNumberId: string
  wabaId: string
  /** E.164 both. */
  from: string
  to: string
  content:
    | { kind: 'text'; body: string }
    | {
        kind: 'template'
        name: string
        language: string
        variables: string[]
        components: Record<string, unknown> | null
        /** As the reader sees it, placeholders filled. */
        body: string
      }
}

export type WhatsappAnswer =
  | { kind: 'accepted'; providerMessageId: string; data: Record<string, unknown> | null }
  /** An answer, and for good: the message is stored as failed. */
  | { kind: 'refused'; message: string; data: Record<string, unknown> | null }
  /** Nothing was sent. */
  | { kind: 'unavailable'; message: string }
  /** The connection was lost after the request was written: it may have been sent, and is never repeated. */
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
  /** What the provider called it when it was handed in to this account before. */
  providerRef: string | null
  /** Handed in to this account before: what is there under its name is it. Else that is somebody else's, and stays as it is. */
  wasHandedIn: boolean
}

export type WhatsappSubmissionAnswer =
  | { kind: 'submitted'; providerRef: string | null }
  | { kind: 'refused'; message: string }
  /** Nothing was handed in. */
  | { kind: 'unavailable'; message: string }
  /** It may have been handed in. Asking again does no harm. */
  | { kind: 'unknown'; message: string }

export type WhatsappProvider = {
  name: 'capture' | 'meta'
  send(message: OutboundWhatsapp): Promise<WhatsappAnswer>
  registerSender(sender: {
    teamId: string
    phoneNumberId: string
    wabaId: string
    phoneNumber: string
    displayName: string | null
  }): Promise<WhatsappRegistrationAnswer>
  /** For the `wabaId` of an active sender of the team; without one, nothing is asked. */
  submitTemplate(template: WhatsappTemplateSubmission): Promise<WhatsappSubmissionAnswer>
  close(): Promise<void>
}

/** What the signed endpoint takes, whoever mapped it: section 6 of the specification. `messageId` is ours, where a provider gives it back. */
export type WhatsappInboundEvent =
  | {
      type: 'message'
      phoneNumberId: string
      from: string
      text: string
      providerMessageId: string
      contactName?: string | null
      /** When it was written; now, where left out. */
      at?: Date | null
    }
  | {
      type: 'status'
      providerMessageId: string
      messageId?: string | null
      status: 'sent' | 'delivered' | 'read' | 'failed'
      data?: Record<string, unknown> | null
    }
  | {
      type: 'template_status'
      wabaId: string
      templateName: string
      language: string
      status: 'approved' | 'rejected' | 'disabled'
      reason?: string | null
    }
