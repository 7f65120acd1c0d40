import { cutText } from '../../../platform/text/cut.ts'
import { type DeliveryStatus, rankOf } from '../statuses.ts'

/** A fact about an outbound message. */
export type FactOfWhatsapp = {
  teamId: string
  messageId: string
  /** The provider's id of the message; null if it was refused. */
  providerMessageId: string | null
  status: DeliveryStatus
  at: Date
  data: Record<string, unknown> | null
  /** The reason of a failure; read from `data` if left out. */
  reason?: string
}

/** The change that the new facts of a message make in it. */
export type Move = FactOfWhatsapp & { wasSent: boolean; seen: number; error: string | null }

/** Merges facts into one change for each message: of two rows, an update would apply an arbitrary one. */
export function consequencesOf(facts: FactOfWhatsapp[]): Move[] {
  return [...Map.groupBy(facts, ({ messageId }) => messageId).values()].map((its) => {
    const sorted = its.toSorted((one, other) => rankOf(one.status) - rankOf(other.status))
    const last = sorted.at(-1)!
    return {
      ...last,
      wasSent: sorted[0]!.status !== 'failed',
      seen: its.reduce((seen, { status }) => seen | seenBits[status], 0),
      error: errorOf(last),
    }
  })
}

/**
 * The bits of a fact in `seen`, by which the first of each kind is counted (migration 0047). One that was read had
 * arrived.
 */
const seenBits = { sent: 1, delivered: 3, read: 7, failed: 8 } as const

function errorOf({ status, reason, data }: FactOfWhatsapp): string | null {
  return status === 'failed' ? (reason ?? reasonIn(data)) : null
}

/** Returns the reason of a failure in one line, from the provider's data. */
function reasonIn(data: Record<string, unknown> | null): string {
  const [first] = Array.isArray(data?.errors) ? data.errors : []
  const texts = [first?.message, first?.title, data?.message, data?.error].filter((text) => typeof text === 'string')
  const [reason = 'The provider reported that it was not delivered, without a reason.'] = texts
  return cutText(reason, 500)
}
