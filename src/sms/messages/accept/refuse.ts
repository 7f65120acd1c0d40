import { rateOfZone } from '../../../billing/rate-card.ts'
import type { Limits } from '../../../context.ts'
import { DomainError, invalid } from '../../../platform/errors.ts'
import { type QuotaAnswer, takeQuota, type Usage } from '../../quota/take.ts'
import type { SendingSender } from '../../senders/queries.ts'
import type { MessageType } from '../../table.ts'
import type { SmsCommand } from './parse.ts'

export type Asked = { teamId: string; limits: Limits; commands: SmsCommand[]; isBatch: boolean }

/** Senders and opted-out recipients of the requests, by `${teamId} ${id}` and `${teamId} ${recipient}`. */
export type Found = { senders: Map<string, SendingSender>; optedOut: Set<string> }

/**
 * Judges a request as a whole, in the order of checks: daily messages, daily spend, and then for each message its
 * country, its recipient and its sender. Returns the day's usage afterwards, and the refusal if there is one.
 */
export function judgeRequest(asked: Asked, before: Usage, found: Found, now: Date): QuotaAnswer {
  const wanted = { messages: asked.commands.length, units: priceOf(asked.commands) }
  const { usage, refusal } = takeQuota(before, wanted, asked.limits, now)
  return { usage, refusal: refusal ?? refusalOf(asked, found) }
}

/**
 * Returns the price of the messages. A message to a country that is not on the rate card costs nothing: it is refused
 * below.
 */
function priceOf(commands: SmsCommand[]): number {
  return commands.reduce((sum, { zone }) => sum + (zone === null ? 0 : rateOfZone(zone)), 0)
}

function refusalOf({ teamId, commands, isBatch }: Asked, { senders, optedOut }: Found): DomainError | null {
  const inBatch = (index: number) => (isBatch ? { index } : {})
  const abroad = commands.findIndex(({ zone }) => zone === null)
  if (abroad !== -1) return unsupportedCountry(commands[abroad]!, inBatch(abroad))
  const blocked = commands.findIndex(({ recipient }) => optedOut.has(`${teamId} ${recipient}`))
  if (blocked !== -1) return recipientOptedOut(commands[blocked]!, inBatch(blocked))
  for (const [index, command] of commands.entries()) {
    const sender = senders.get(`${teamId} ${command.senderId}`)
    const path = isBatch ? `messages[${index}].` : ''
    if (sender?.status !== 'active') return senderNotActive(path)
    if (sender.defaultMessageType === 'transactional' && command.messageType === 'promotional')
      return invalid(`${path}messageType`, 'must be transactional: the sender is for transactional messages only')
  }
  return null
}

/** Returns the message's type, or the sender's default if the message names none. */
export function messageTypeOf({ messageType }: SmsCommand, sender: SendingSender): MessageType {
  return messageType ?? sender.defaultMessageType
}

function unsupportedCountry({ to, country }: SmsCommand, extra: object): DomainError {
  const message = `SMS to ${to} (${country ?? 'no country'}) is not supported: its country is not on the rate card.`
  const body = { error: 'UNSUPPORTED_DESTINATION_COUNTRY', message, ...extra }
  return new DomainError('unprocessable', message, { body })
}

function recipientOptedOut({ to }: SmsCommand, extra: object): DomainError {
  const message = `${to} has opted out. Leave it out, or remove its entry from /v1/sms/opt-outs if the person asked for it.`
  return new DomainError('forbidden', message, { body: { error: 'RECIPIENT_OPTED_OUT', message, ...extra } })
}

function senderNotActive(path: string): DomainError {
  const message = `${path}senderId: is not an active SMS sender of this team. Verify it with POST /v1/sms/senders/{id}/verify first.`
  return new DomainError('invalid', message, { name: 'sender_not_active' })
}
