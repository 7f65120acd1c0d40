import { type Json, listOf, objectOf } from '../../../platform/http/body/read-foreign-json.ts'

/** Meta's error 131050: the customer has stopped marketing messages of this business. */
export function isMarketingStop(error: unknown): boolean {
  return objectOf(error).code === 131050
}

/** Tells whether one of the errors of a failed message is that the customer wants no marketing. */
export function hasMarketingStop({ errors }: Json): boolean {
  return listOf(errors).some(isMarketingStop)
}
