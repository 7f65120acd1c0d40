import Type from 'typebox'
import { Body, Page, Resource, TextEnum, Timestamp, Uuid } from '../../platform/http/schema/schema.ts'

/** Not the number of other examples, to which a first SMS goes. */
const PhoneNumber = Type.String({ maxLength: 100, description: 'E.164.', examples: ['+61491570157'] })

export const NewOptOut = Body('NewSmsOptOut', { phoneNumber: PhoneNumber })

export const OptOut = Resource('SmsOptOut', {
  id: Uuid,
  phoneNumber: PhoneNumber,
  reason: TextEnum('keyword', 'manual'),
  createdAt: Timestamp,
})

export const OptOutList = Page(OptOut)
