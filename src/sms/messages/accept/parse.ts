import { type Zone, zoneOfCountry } from '../../../billing/rate-card.ts'
import { readNumber } from '../../../phone/phone-number.ts'
import { type FieldError, invalid, invalidFields } from '../../../platform/errors.ts'
import { isPhoneNumber, phoneNumberForm } from '../../../platform/text/phone-number.ts'
import type { SendSmsBody } from '../../schema.ts'
import type { MessageType } from '../../table.ts'
import { measureText } from './segments.ts'

/** A message as the request gives it, with valid values. */
export type SmsCommand = {
  to: string
  /** The recipient in the form in which opt-outs are compared. */
  recipient: string
  body: string
  segments: number
  senderId: string
  /** Null to use the sender's default. */
  messageType: MessageType | null
  /** Null where the destination is not on the rate card. */
  zone: Zone | null
  country: string | null
}

/** Checks what schemas cannot express. Throws `invalid`. */
export function parseSms(body: SendSmsBody): SmsCommand {
  if (!isPhoneNumber(body.to)) throw invalid('to', phoneNumberForm)
  return commandOf(body)
}

/** Checks the messages of a batch in the same way. Throws `invalid`, naming every fault. */
export function parseSmsBatch(bodies: SendSmsBody[]): SmsCommand[] {
  const faults = bodies.flatMap(({ to }, index): FieldError[] =>
    isPhoneNumber(to) ? [] : [{ path: `messages[${index}].to`, message: phoneNumberForm }],
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
    segments: measureText(body).segments,
    senderId,
    messageType: messageType ?? null,
    zone,
    country,
  }
}
