/** Statuses of an outbound message that the provider reports, from the earliest to the most final. */
export const deliveryStatuses = ['sent', 'delivered', 'read', 'failed'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

/**
 * Statuses of a message. An outbound one begins as `accepted` and only moves to a later one; an inbound one is
 * `received`.
 */
export const whatsappStatuses = ['accepted', ...deliveryStatuses, 'received'] as const

export type WhatsappStatus = (typeof whatsappStatuses)[number]

export function rankOf(status: WhatsappStatus): number {
  return whatsappStatuses.indexOf(status)
}
