import type { TSchema } from 'typebox'

/** A request that the server sends, as the reference describes it. */
export type OutboundCall = {
  name: string
  summary: string
  description: string
  /** By name, with their descriptions. */
  headers: Record<string, string>
  body: TSchema
  /** The answer of a receiver that ends the attempts. */
  success: string
}
