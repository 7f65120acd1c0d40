import Type from 'typebox'
import { Body, Name, Resource, Text, TextEnum, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

const requireTwoFactor = 'Whether members without a second factor can only set one up.'

export const TeamChanges = Body(
  'TeamChanges',
  {
    name: Type.Optional(Name({ maxLength: 100, examples: ['Analytical Engines'] })),
    requireTwoFactor: Type.Optional(Type.Boolean({ description: requireTwoFactor })),
  },
  { minProperties: 1 },
)

export const TeamDeletion = Body('TeamDeletion', {
  confirm: Text({ maxLength: 100, description: 'The name of the team.', examples: ['Analytical Engines'] }),
})

export const Team = Resource('Team', {
  id: Uuid,
  name: Type.String({ examples: ['Analytical Engines'] }),
  plan: TextEnum('free', 'pro', 'scale', 'enterprise'),
  requireTwoFactor: Type.Boolean({ description: requireTwoFactor }),
  createdAt: Timestamp,
})
