import { type Zone, zoneOfCountry } from '../../../billing/rate-card.ts'
import { type FieldError, invalidFields } from '../../../platform/errors.ts'
import { isPhoneNumber, phoneNumberForm } from '../../../platform/phone-number.ts'
import { readNumber } from '../../phone-number.ts'
import type { SendSmsBody } from '../../schema.ts'
import type { MessageType } from '../../table.ts'
import { countSegments } from './segments.ts'

/** One message as it was asked for, within bounds. */
export type SmsCommand = {
  to: string
  /** The same, as opt-outs are compared. */
  recipient: string
  body: string
  segments: number
  senderId: string
  /** Null: the sender's default. */
  messageType: MessageType | null
  /** Null where the destination is not on the rate card. */
  zone: Zone | null
  country: string | null
}

/** What the shape of a request cannot say. Throws `invalid` naming every fault; `path` is where a batch has the message. */
export function parseMessages(bodies: SendSmsBody[], path: (index: number) => string): SmsCommand[] {
  const faults = bodies.flatMap(({ to }, index): FieldError[] =>
    isPhoneNumber(to) ? [] : [{ path: `${path(index)}to`, message: phoneNumberForm }],
  )
  if (faults.length > 0) throw invalidFields(faults)
  return bodies.map(commandOf)
}

function commandOf({ to, body, senderId, messageType }: SendSmsBody): SmsCommand {
  const { country, normalized: recipient } = readNumber(to)
  const zone = country === null ? null : zoneOfCountry(country)
  return {
    to,
    recipient,
    body,
    segments: countSegments(body),
    senderId: senderId.toLowerCase(),
    messageType: messageType ?? null,
    zone,
    country,
  }
}
