import Type from 'typebox'
import { Name, Strict, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'

const name = { examples: ['Analytical Engines'] }

export const NewTeam = Strict({ name: Name({ maxLength: 100, ...name }) })

export const TeamChoice = Strict({ teamId: Uuid })

export const OwnTeam = Type.Object({
  id: Uuid,
  name: Type.String(name),
  plan: TextEnum('free', 'pro', 'scale', 'enterprise'),
  role: TextEnum('owner', 'admin', 'developer', 'marketer', 'viewer'),
})
