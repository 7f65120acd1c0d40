import Type from 'typebox'
import { emailRoutes } from '../emails/routes.ts'
import type { Route } from '../platform/http/route.ts'
import { routeLike, routeOfOperation } from '../platform/http/route-like.ts'
import { MailBody } from './mail-body.ts'
import { sendMail } from './send-mail.ts'

/** The sending of SendGrid's API, below `/sendgrid`. */
export const sendgridRoutes: Route[] = [
  routeLike(routeOfOperation(emailRoutes, 'sendEmailBatch'), {
    method: 'POST',
    path: '/sendgrid/v3/mail/send',
    body: MailBody,
    response: Type.String(),
    status: 202,
    produces: 'text/plain',
    handle: ({ app, caller, body, idempotencyKey: key, reply }) =>
      sendMail(app, caller!, { body: body as MailBody, key, reply }),
  }),
]
