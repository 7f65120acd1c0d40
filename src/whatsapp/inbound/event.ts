import type { WhatsappInboundEvent } from '../provider.ts'

type Of<T extends WhatsappInboundEvent['type']> = Extract<WhatsappInboundEvent, { type: T }>
export type MessageEvent = Of<'message'>
export type StatusEvent = Of<'status'>
export type MarketingEvent = Of<'marketing'>
export type ReviewEvent = Of<'template_status'>

/** `ignored`: the number, message or template is unknown, or the move is not allowed. */
export type Outcome = 'processed' | 'duplicate' | 'ignored'
