import { isUtf8 } from 'node:buffer'
import Type from 'typebox'
import { invalid } from '../../../platform/errors.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { Resource } from '../../../platform/http/schema/schema.ts'
import { developers } from '../../../teams/roles/roles.ts'
import { readEvents } from '../../inbound/read-events.ts'
import { InboundEvents } from '../../inbound/schema.ts'
import { receiveCaptured } from './receive.ts'

const Count = Type.Integer({ minimum: 0 })

export const captureRoutes: Route[] = [
  route('POST /providers/capture/whatsapp', 'simulateWhatsapp', {
    access: 'full',
    roles: developers,
    inTest: 'apart',
    changes: 'inbox',
    tag: 'Provider events',
    summary: 'Simulate WhatsApp events of your senders',
    description:
      'The events of `POST /v1/whatsapp/webhooks/inbound`, without a signature. Those of senders, messages and accounts that are not yours are ignored. With another provider than `capture` it is for test mode only. In test mode, messages of customers begin test conversations with senders of the team, and events of templates are ignored.',
    takes: 'bytes',
    refusals: ['forbidden'],
    receives: { schema: InboundEvents },
    response: Resource('SimulatedWhatsappResult', {
      received: Count,
      processed: Count,
      duplicates: Count,
      ignored: Count,
    }),
    handle: ({ app, caller, request }) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!isUtf8(body)) throw invalid('body', 'is not UTF-8')
      return receiveCaptured(app, caller, readEvents(body.toString('utf8')))
    },
  }),
]
