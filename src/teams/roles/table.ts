import type { Role } from '../../context.ts'
import { reads } from './reads.ts'

/** All roles, from most rights to fewest. */
export const roles: readonly Role[] = ['owner', 'admin', 'developer', 'marketer', 'viewer']

type Rule = {
  /** The purpose of the routes, as the documentation of roles names it. */
  about: string
  roles: readonly Role[]
  /** `METHOD /path`, with the parameters as the route declares them. */
  routes: readonly string[]
}

const everybody = roles
export const owners: Role[] = ['owner']
export const admins: Role[] = ['owner', 'admin']
const developers: Role[] = ['owner', 'admin', 'developer']
const marketers: Role[] = ['owner', 'admin', 'marketer']
const writers: Role[] = ['owner', 'admin', 'developer', 'marketer']

/**
 * Says which roles may call a route, for signed-in users. API keys have their permissions instead (`access` of the route).
 *
 * To add a route, write `METHOD /path` into the rule of its kind, or into `reads.ts`. A route that is not public and stands in no rule is refused
 * for every user, and a test names it. Rights that depend on more than the route, such as which role an admin may
 * give, are checked where the request is handled.
 */
export const rules: readonly Rule[] = [
  {
    about: 'billing, and the end of the team',
    roles: owners,
    routes: ['POST /v1/billing/checkout', 'POST /v1/billing/portal', 'DELETE /v1/team'],
  },
  {
    about: 'reading billing',
    roles: admins,
    routes: ['GET /v1/billing/plans', 'GET /v1/billing/subscription', 'GET /v1/billing/entries'],
  },
  {
    about: 'the audit log',
    roles: admins,
    routes: ['GET /v1/audit'],
  },
  {
    about: 'how long data is kept, and persons’ requests',
    roles: admins,
    routes: [
      'PATCH /v1/team/retention',
      'POST /v1/privacy/requests',
      'GET /v1/privacy/requests',
      'GET /v1/privacy/requests/:id',
      'GET /v1/privacy/requests/:id/file',
    ],
  },
  {
    about: 'the request log',
    roles: developers,
    routes: ['GET /v1/requests', 'GET /v1/requests/:requestId'],
  },
  {
    about: 'one’s own account',
    roles: everybody,
    routes: [
      'GET /auth/me',
      'PATCH /auth/me',
      'DELETE /auth/me',
      'POST /auth/me/email',
      'POST /auth/password',
      'POST /auth/verify-email/resend',
      'GET /auth/teams',
      'POST /auth/teams',
      'POST /auth/switch',
      'GET /auth/2fa/status',
      'POST /auth/2fa/setup',
      'POST /auth/2fa/verify',
      'POST /auth/2fa/disable',
      'POST /auth/2fa/recovery-codes',
      'GET /auth/sessions',
      'DELETE /auth/sessions/:id',
      'DELETE /auth/session',
      'POST /auth/reauthenticate',
    ],
  },
  {
    // Admins may not change owners (`members/`).
    about: 'the team and its members',
    roles: admins,
    routes: [
      'PATCH /v1/team',
      'PATCH /v1/team/members/:userId',
      'GET /v1/team/invitations',
      'POST /v1/team/invitations',
      'DELETE /v1/team/invitations/:id',
    ],
  },
  {
    // Others are removed by owners and admins only (`members/`).
    about: 'leaving the team',
    roles: everybody,
    routes: ['DELETE /v1/team/members/:userId'],
  },
  {
    about: 'reading',
    roles: everybody,
    routes: reads,
  },
  {
    about: 'sending',
    roles: developers,
    routes: [
      'POST /v1/emails',
      'POST /v1/emails/batch',
      'PATCH /v1/emails/:id',
      'POST /v1/emails/:id/cancel',
      'POST /v1/sms',
      'POST /v1/sms/batch',
      'POST /v1/whatsapp/messages',
      'POST /v1/whatsapp/conversations/:id/reply',
      'POST /providers/capture/sms',
      'POST /providers/capture/whatsapp',
    ],
  },
  {
    about: 'keys, domains, webhooks, credentials, senders, logs',
    roles: developers,
    routes: [
      'POST /v1/api-keys',
      'PATCH /v1/api-keys/:id',
      'DELETE /v1/api-keys/:id',
      'POST /v1/domains',
      'PATCH /v1/domains/:id',
      'DELETE /v1/domains/:id',
      'POST /v1/domains/:id/verify',
      'POST /v1/domains/:id/rotate-dkim',
      'POST /v1/webhooks',
      'PATCH /v1/webhooks/:id',
      'DELETE /v1/webhooks/:id',
      'POST /v1/webhooks/:id/rotate-secret',
      'POST /v1/webhooks/:id/test',
      'POST /v1/webhooks/:id/replay',
      'POST /v1/webhooks/:id/deliveries/:deliveryId/replay',
      'POST /v1/credentials',
      'DELETE /v1/credentials/:id',
      'POST /v1/sms/senders',
      'PATCH /v1/sms/senders/:id',
      'DELETE /v1/sms/senders/:id',
      'POST /v1/sms/senders/:id/verify',
      'POST /v1/whatsapp/senders',
      'PATCH /v1/whatsapp/senders/:id',
      'DELETE /v1/whatsapp/senders/:id',
      'POST /v1/whatsapp/senders/:id/verify',
      'DELETE /v1/inbox',
      'DELETE /v1/inbox/:id',
      'POST /v1/workflows/:id/rotate-trigger-key',
    ],
  },
  {
    // Marketers may not edit workflows with `code` or `http_request` nodes (`workflows/`).
    about: 'workflows',
    roles: writers,
    routes: [
      'POST /v1/workflows',
      'PATCH /v1/workflows/:id',
      'DELETE /v1/workflows/:id',
      'POST /v1/workflows/:id/check',
      'POST /v1/workflows/:id/activate',
      'POST /v1/workflows/:id/duplicate',
      'POST /v1/workflows/:id/executions',
      'POST /v1/workflows/:id/executions/:exec_id/rerun',
      'POST /v1/workflows/:id/executions/:exec_id/cancel',
    ],
  },
  {
    about: 'the audience, templates, broadcasts, suppressions',
    roles: marketers,
    routes: [
      'POST /v1/contacts',
      'PATCH /v1/contacts/:id',
      'DELETE /v1/contacts/:id',
      'POST /v1/contacts/import',
      'POST /v1/segments',
      'PATCH /v1/segments/:id',
      'DELETE /v1/segments/:id',
      'POST /v1/segments/:id/contacts',
      'DELETE /v1/segments/:id/contacts/:contactId',
      'POST /v1/topics',
      'PATCH /v1/topics/:id',
      'DELETE /v1/topics/:id',
      'POST /v1/topics/:id/contacts',
      'DELETE /v1/topics/:id/contacts/:contactId',
      'POST /v1/templates',
      'PATCH /v1/templates/:id',
      'DELETE /v1/templates/:id',
      'POST /v1/whatsapp/templates',
      'PATCH /v1/whatsapp/templates/:id',
      'DELETE /v1/whatsapp/templates/:id',
      'POST /v1/whatsapp/templates/:id/submit',
      'POST /v1/broadcasts',
      'PATCH /v1/broadcasts/:id',
      'DELETE /v1/broadcasts/:id',
      'POST /v1/broadcasts/:id/send',
      'POST /v1/broadcasts/:id/cancel',
      'POST /v1/broadcasts/:id/test',
      'POST /v1/suppressions',
      'DELETE /v1/suppressions/:id',
      'POST /v1/sms/opt-outs',
      'DELETE /v1/sms/opt-outs/:id',
    ],
  },
]
