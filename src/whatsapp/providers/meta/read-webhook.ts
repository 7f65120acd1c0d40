import { idOf, type Json, listOf, objectOf, textOf } from '../../../platform/http/body/read-foreign-json.ts'
import { isUuid } from '../../../platform/ids.ts'
import { deliveryStatuses } from '../../messages/statuses.ts'
import { normalizeNumber } from '../../phone-number.ts'
import type { WhatsappInboundEvent } from '../../provider.ts'
import { hasMarketingStop } from './consent.ts'
import { languageTag } from './language.ts'
import { textOfMessage } from './text-of-message.ts'

/**
 * Reads the events that we handle from a call by Meta. Ignores other fields, because Meta adds new ones at any time.
 */
export function readWebhook(payload: unknown): WhatsappInboundEvent[] {
  return listOf(objectOf(payload).entry)
    .map(objectOf)
    .flatMap((entry) =>
      listOf(entry.changes)
        .map(objectOf)
        .flatMap(({ field, value }) => {
          if (field === 'messages') return eventsOfMessages(objectOf(value))
          if (field === 'user_preferences') return eventsOfPreferences(objectOf(value))
          return field === 'message_template_status_update' ? eventsOfReview(entry.id, objectOf(value)) : []
        }),
    )
}

function eventsOfMessages(value: Json): WhatsappInboundEvent[] {
  const { phone_number_id: phoneNumberId } = objectOf(value.metadata)
  const names = new Map(
    listOf(value.contacts)
      .map(objectOf)
      .map((contact) => [contact.wa_id, objectOf(contact.profile).name] as const),
  )
  const messages = listOf(value.messages).map(objectOf)
  return [
    ...(typeof phoneNumberId === 'string' ? messages.flatMap((one) => eventOfMessage(phoneNumberId, one, names)) : []),
    ...listOf(value.statuses).map(objectOf).flatMap(eventOfStatus),
  ]
}

function eventOfMessage(phoneNumberId: string, message: Json, names: Map<unknown, unknown>): WhatsappInboundEvent[] {
  const { from } = message
  const id = idOf(message.id)
  const text = textOfMessage(message)
  if (typeof from !== 'string' || !/^\d{5,15}$/.test(from) || id === null || text === null) return []
  const name = names.get(from)
  const contactName = typeof name === 'string' && name !== '' ? name.slice(0, 200).toWellFormed() : null
  const at = timeOf(message.timestamp)
  return [{ type: 'message', phoneNumberId, from: `+${from}`, text, providerMessageId: id, contactName, at }]
}

/** Reads Unix seconds, which Meta writes as a text or as a number. */
function timeOf(timestamp: unknown): Date | null {
  const seconds = typeof timestamp === 'number' ? String(timestamp) : textOf(timestamp)
  return /^\d{9,11}$/.test(seconds) ? new Date(Number(seconds) * 1000) : null
}

function eventOfStatus(told: Json): WhatsappInboundEvent[] {
  const { biz_opaque_callback_data: named } = told
  const id = idOf(told.id)
  const status = deliveryStatuses.find((one) => one === told.status)
  if (!status || id === null) return []
  const messageId = isUuid(named) ? named : null
  const stop = status === 'failed' && hasMarketingStop(told) && { isMarketingStop: true }
  return [{ type: 'status', providerMessageId: id, messageId, status, data: dataOf(told), ...stop }]
}

/** Reads what customers chose in WhatsApp about the marketing of this business. */
function eventsOfPreferences(value: Json): WhatsappInboundEvent[] {
  const { phone_number_id: phoneNumberId } = objectOf(value.metadata)
  if (typeof phoneNumberId !== 'string') return []
  return listOf(value.user_preferences)
    .map(objectOf)
    .flatMap((one): WhatsappInboundEvent[] => {
      const choice = (['stop', 'resume'] as const).find((known) => known === one.value)
      const from = typeof one.wa_id === 'string' ? normalizeNumber(one.wa_id) : null
      if (!choice || !from || one.category !== 'marketing_messages') return []
      return [{ type: 'marketing', phoneNumberId, from, choice, at: timeOf(one.timestamp) }]
    })
}

/** Returns the status's details, without the operator's prices. */
function dataOf({ timestamp, recipient_id, errors }: Json): Json {
  return { timestamp, recipient_id, ...(errors !== undefined && { errors }) }
}

/**
 * Our status for each event of a review by Meta. Paused and deleted templates cannot be sent. Other events are ignored.
 */
const reviews = new Map<string, 'approved' | 'rejected' | 'disabled'>(
  Object.entries({
    APPROVED: 'approved',
    REINSTATED: 'approved',
    REJECTED: 'rejected',
    DISABLED: 'disabled',
    PAUSED: 'disabled',
    DELETED: 'disabled',
    PENDING_DELETION: 'disabled',
  }),
)

function eventsOfReview(wabaId: unknown, value: Json): WhatsappInboundEvent[] {
  const { event, message_template_name: templateName, message_template_language: language } = value
  const status = typeof event === 'string' ? reviews.get(event) : undefined
  if (!status || typeof wabaId !== 'string' || typeof templateName !== 'string' || typeof language !== 'string')
    return []
  const reason = reasonOf(value)
  return [{ type: 'template_status', wabaId, templateName, language: languageTag(language), status, reason }]
}

function reasonOf(value: Json): string | null {
  const info = objectOf(value.rejection_info)
  const parts = [value.reason, info.reason, info.recommendation, objectOf(value.other_info).description]
  const words = parts.filter((part) => typeof part === 'string' && part !== '' && part !== 'NONE')
  return words.length > 0 ? words.join(': ').slice(0, 1000).toWellFormed() : null
}
