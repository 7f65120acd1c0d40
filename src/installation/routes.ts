import Type from 'typebox'
import { type Route, route } from '../platform/http/route.ts'
import { Resource } from '../platform/http/schema/schema.ts'
import { version } from '../version.ts'
import { getInstallation } from './get.ts'

const Port = Type.Union([Type.Integer(), Type.Null()], {
  description: 'As mail programs reach it, with `PUBLIC_SMTP_PORT` and `PUBLIC_SMTPS_PORT`. Null if it is off.',
})

const Installation = Resource('Installation', {
  version: Type.String({ examples: [version] }),
  publicUrl: Type.String({ description: 'The base of links in mail.' }),
  providers: Type.Object({
    email: Type.String({ examples: ['capture'] }),
    sms: Type.String({ examples: ['capture'] }),
    whatsapp: Type.String({ examples: ['capture'] }),
    payments: Type.String({ examples: ['sandbox'] }),
  }),
  smtp: Type.Object({
    host: Type.String({ description: 'The host of `publicUrl`.' }),
    port: Port,
    tlsPort: Port,
  }),
  discardedJobs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'Jobs that failed for the last time within 30 days, up to 10,000, for the team named by `SYSTEM_TEAM`. Null for others.',
  }),
})

export const installationRoutes: Route[] = [
  route('GET /v1/installation', 'getInstallation', {
    command: null,
    access: 'full',
    tag: 'Reference',
    summary: 'How this installation is set up',
    description:
      'The providers that send, and where mail programs submit: `port` with STARTTLS, `tlsPort` with TLS from the start.',
    response: Installation,
    handle: ({ app, caller }) => getInstallation(app, caller),
  }),
]
