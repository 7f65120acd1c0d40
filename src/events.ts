import type { Role } from './context.ts'

/**
 * The catalogue of events, from name to data. Types only: publishers and subscribers meet here without importing each
 * other. An event whose data has a type of a folder is added by the file that publishes it, with `declare module`.
 */
export interface Events {
  'team.limits_changed': Record<string, never>
  /** A person asked for a link that verifies the address, or signed up. The token is made as the mail is. */
  'account.verification_requested': { userId: string; isResend: boolean }
  /** Somebody asked for a link that sets the password of an account. The token is made as the mail is. */
  'account.reset_requested': { userId: string }
  /** An account was signed in to from a network that it had not used before. */
  'account.signed_in_elsewhere': { userId: string; address: string; userAgent: string | null }
  /** The password of an account was changed, or its two-factor switched on or off, from this address. */
  'account.security_changed': { userId: string; change: SecurityChange; address: string | null }
  /**
   * A person asked for another address of the own account, from this network address. The token is made as the mail is,
   * if the account is still in this state (`auth/account/state.ts`).
   */
  'account.address_requested': { userId: string; email: string; address: string | null; state: string }
  /** An account got another address in place of this one. */
  'account.address_changed': { formerEmail: string; address: string | null }
  /** A person deleted the own account, whose address was proven. */
  'account.deleted': { email: string }
  /** An address was invited to the team. The mailed link has a token of its own, made as the mail is. */
  'team.invited': { invitationId: string }
  /** A member got another role, or left or was removed: then `role` is null. */
  'team.member_changed': { userId: string; role: Role | null }
  /**
   * A member became an owner of the team, or a person joined it as one. The first owner of a new team is not announced.
   */
  'team.owner_added': { userId: string }
  /** Deliveries of a webhook have failed for an hour. Published once until it succeeds again. */
  'webhook.failing': { webhookId: string }
  /** A webhook was switched off, because its deliveries failed for days. */
  'webhook.switched_off': { webhookId: string }
  /** Attempts to deliver events to a webhook were recorded. */
  'webhook.attempted': { webhookId: string }
  'billing.customer_known': Record<string, never>
  'contact.created': { contactId: string }
  /** The API, an import or a workflow changed a contact. */
  'contact.updated': { contactId: string }
  /** The contact's flag was raised, in whatever way. */
  'contact.unsubscribed': { contactId: string }
  'contact.added_to_segment': { contactId: string; segmentId: string }
  /**
   * These seven are published by `recordEmailFacts` (`emails/messages/facts/record.ts`), which makes the name from the
   * type of the fact.
   */
  'email.sent': EmailEventData
  'email.delivered': EmailEventData
  'email.delivery_delayed': EmailEventData
  'email.bounced': EmailEventData
  'email.complained': EmailEventData
  'email.opened': EmailEventData
  'email.clicked': EmailEventData
  /**
   * An email ended unsent, which its broadcast counts. It was cancelled, because its recipient is excluded by now or
   * alone by a caller, an erasure deleted it (`gone`), or it bounced because handing it over failed too often.
   */
  'email.ended_unsent': {
    emailId: string
    reason: 'unsubscribed' | 'suppressed' | 'not_opted_in' | 'failed' | 'cancelled' | 'gone'
  }
  /** A message came to a number of the team. */
  'sms.received': { from: string; to: string; body: string }
  'whatsapp.received': { from: string; to: string; body: string }
  /** WhatsApp approved, rejected or disabled a template. */
  'whatsapp.template_reviewed': { templateId: string }
  /** A provider has reported something about an SMS or a WhatsApp message. */
  'sms.updated': { smsId: string }
  'whatsapp.updated': { messageId: string }
  /** Executions of the team's workflows have moved on. */
  'execution.updated': Record<string, never>
}

/**
 * `details` is the provider's notification, in the shape of Amazon SES. `recipient` is null for facts about the whole
 * email.
 */
type EmailEventData = {
  emailId: string
  recipient: string | null
  details: Record<string, unknown> | null
  /** The email bounced and never arrives, whether or not its address is at fault. */
  permanent?: true
  /**
   * The email is system mail. Webhooks and workflows get no events of it: it is between the installation and its users.
   */
  system?: true
}

export type SecurityChange = 'password' | 'two_factor_on' | 'two_factor_off'

export type EventName = keyof Events

/** An event of any of these names; comparing `type` tells which data it has. */
export type Event<Name extends EventName = EventName> = {
  [N in Name]: {
    type: N
    teamId: string
    data: Events[N]
    /** The id of the workflow execution that caused it, where there is one. */
    cause?: string
  }
}[Name]
