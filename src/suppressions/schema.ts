import Type, { type Static } from 'typebox'
import {
  Body,
  ListQueryOf,
  Page,
  Resource,
  Search,
  Strict,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { suppressionReasons } from './table.ts'

const Reason = TextEnum(...suppressionReasons)

/** Its example is not the address of other examples, to which a first email goes. */
export const NewSuppression = Body('NewSuppression', {
  email: Type.String({
    minLength: 3,
    maxLength: 320,
    description: 'The bare address; compared whatever its case.',
    examples: ['gone@example.com'],
  }),
})

const filter = {
  search: Search,
  reason: Type.Optional({ ...Reason, description: 'Only those blocked for this reason.' }),
}

/** The query of an export. */
export const SuppressionFilter = Strict(filter)
export type SuppressionFilter = Static<typeof SuppressionFilter>

export const SuppressionQuery = ListQueryOf(filter)
export type SuppressionQuery = Static<typeof SuppressionQuery>

export const Suppression = Resource('Suppression', {
  id: Uuid,
  email: Type.String({ examples: ['ada@example.com'] }),
  reason: Reason,
  createdAt: Timestamp,
})

export const SuppressionPage = Page(Suppression)
