import type { App, Caller } from '../../context.ts'
import { gatheredFor } from '../../platform/gather.ts'
import {
  findResponse,
  onceForKey,
  type RequestKey,
  requestKey,
  type StoredResponse,
} from '../../platform/idempotency/keys.ts'
import { findJobKeys } from '../../platform/jobs/claim.ts'
import { type AcceptedMessage, acceptRequests, type SendRequest } from './accept/accept.ts'
import { parseMessage } from './accept/parse.ts'
import { sendKind } from './dispatch/deliver-kind.ts'
import { dispatchNow } from './dispatch/dispatch-now.ts'
import { refuseDomainKey } from './get.ts'
import { findMessage } from './queries.ts'
import type { Message, SendMessageBody } from './schema.ts'

const endpoint = 'POST /v1/whatsapp/messages'

/**
 * Sends one message now: durable and marked before it is handed over, recorded before it is answered. Throws by the order of
 * checks; `providerFailed` where nothing was sent and nothing is stored.
 */
export function sendMessage(
  app: App,
  caller: Caller,
  body: SendMessageBody,
  idempotencyKey: string | null,
): Promise<Message> {
  refuseDomainKey(caller)
  const command = parseMessage(body)
  const { teamId } = caller
  const key = requestKey(teamId, endpoint, idempotencyKey, body)
  return onceForKey(
    () => findKnown(app, teamId, key),
    async () => {
      const accepted = await accept(app, { teamId, command, key })
      return accepted && dispatchNow(app, accepted, key)
    },
  )
}

/** Requests that arrive while a commit is under way share the next one. */
const accept: (app: App, request: SendRequest) => Promise<AcceptedMessage | null> = gatheredFor(
  (app, requests) => app.transaction((tx) => acceptRequests(tx, requests)),
  { itemsMax: 100, flushesMax: 1 },
)

async function findKnown(app: App, teamId: string, key: RequestKey | null): Promise<Message | null> {
  if (!key) return null
  const recover = async ([id = '']: string[]): Promise<StoredResponse | null> => {
    // Its job is there until it is known what became of it. Asked first: the message read after that is the settled one.
    const isUnderWay = (await findJobKeys(app.db, sendKind, [id])).has(id)
    const message = isUnderWay ? undefined : await findMessage(app.db, teamId, id)
    return message ? { status: 200, body: message } : null
  }
  const response = await findResponse(app, key, recover)
  return response ? (response.body as Message) : null
}
