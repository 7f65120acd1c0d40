import Type from 'typebox'
import { Page, Strict, TextEnum, Timestamp, Uuid } from '../../platform/http/schema.ts'

const PhoneNumber = Type.String({ maxLength: 100, description: 'E.164.', examples: ['+61491570156'] })

export const NewOptOut = Strict({ phoneNumber: PhoneNumber })

export const OptOut = Type.Object({
  id: Uuid,
  phoneNumber: PhoneNumber,
  reason: TextEnum('keyword', 'manual'),
  createdAt: Timestamp,
})

export const OptOutList = Page(OptOut)
