import Type from 'typebox'
import { Body, Uuid } from '../platform/http/schema/schema.ts'

/** The same number as the rows of an import. */
const idsMax = 10_000

/** The body of a request that adds contacts to a segment or a topic. */
export const ContactIds = Body('ContactIds', {
  contactIds: Type.Array(Uuid, {
    minItems: 1,
    maxItems: idsMax,
    description: 'At most 10,000 a request. An id that is given twice counts once.',
  }),
})

/** The members of such a body: the ids and the list that holds them. */
export const contactIdsMembersMax = idsMax + 1
