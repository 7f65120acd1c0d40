import type { Zone } from '../../../billing/rate-card.ts'
import type { TeamJob } from '../../../platform/jobs/job.ts'
import type { SendingSender } from '../../senders/queries.ts'
import type { MessageType } from '../../table.ts'
import type { SmsCommand } from './parse.ts'

/** A message that is about to be inserted. */
export type NewSms = {
  teamId: string
  id: string
  command: SmsCommand
  sender: SendingSender
  messageType: MessageType
  zone: Zone
  units: number
  /** The UTC day whose limits the message counts against. */
  day: string
}

/** A durable, paid message whose job this process holds. */
export type AcceptedSms = NewSms & { job: TeamJob }
