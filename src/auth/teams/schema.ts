import Type from 'typebox'
import { Body, Name, Resource, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'

const name = { examples: ['Analytical Engines'] }

export const NewTeam = Body('NewTeam', { name: Name({ maxLength: 100, ...name }) })

export const TeamChoice = Body('TeamChoice', { teamId: Uuid })

export const OwnTeam = Resource('OwnTeam', {
  id: Uuid,
  name: Type.String(name),
  plan: TextEnum('free', 'pro', 'scale', 'enterprise'),
  role: TextEnum('owner', 'admin', 'developer', 'marketer', 'viewer'),
})
