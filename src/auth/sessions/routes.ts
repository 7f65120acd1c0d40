import { type Route, route } from '../../platform/http/route.ts'
import { reauthenticate } from './reauthenticate.ts'
import { Proof, Reauthenticated } from './schema.ts'

const tag = 'User auth'

export const sessionRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/auth/reauthenticate',
    access: 'user',
    tag,
    summary: 'Give the password or a code again',
    description:
      'Takes exactly one of `password` and `code`, which stands for 15 minutes in this session, like a new login. Setting up ' +
      'two-factor, making a `full_access` key and deleting the team need one that is not older, else they are 403 ' +
      '`reauthentication_required`. A wrong one is 400 `invalid_password` or `invalid_two_factor_code`; five wrong ones ' +
      'of a session in 15 minutes are 429.',
    body: Proof,
    response: Reauthenticated,
    handle: ({ app, caller, body }) => reauthenticate(app, caller, body),
  }),
]
