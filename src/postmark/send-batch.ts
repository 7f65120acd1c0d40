import type { FastifyRequest } from 'fastify'
import type { App, Caller } from '../context.ts'
import { DomainError, invalidFields, unavailable } from '../platform/errors.ts'
import { faultFinder } from '../platform/http/schema/validation.ts'
import { describeGone, isDatabaseGone } from '../platform/sql/gone.ts'
import { someAtATime } from '../platform/waiting/some-at-a-time.ts'
import { takeTurn } from '../platform/waiting/turns.ts'
import { type Failed, failedOf, unexpected } from './errors.ts'
import { Message } from './message.ts'
import { type Sent, sendEndpoint, sendMessage } from './send.ts'

const findFaults = faultFinder(Message)
/** Messages that are handed over at once. They share their commits, so more of them would gain little. */
const atOnceMax = 20

type Given = { messages: unknown[]; key: string | null; request: FastifyRequest }

/**
 * Sends each message by itself, and returns what became of each, in their order. A message that is refused or fails
 * does not affect the others. Repeated with its key, a batch sends only the messages that were not sent.
 */
export function sendMessageBatch(
  app: App,
  caller: Caller,
  { messages, key, request }: Given,
): Promise<(Sent | Failed)[]> {
  return someAtATime(atOnceMax, [...messages.entries()], async ([index, message]) => {
    await takeTurn()
    try {
      const faults = findFaults(message)
      if (faults.length > 0) throw invalidFields(faults)
      const endpoint = `${sendEndpoint}/batch#${index}`
      return await sendMessage(app, caller, message as Message, { key, endpoint })
    } catch (error) {
      return failure(error, request)
    }
  })
}

/** Logs an unexpected error, which the answer does not show. */
function failure(error: unknown, request: FastifyRequest): Failed {
  if (error instanceof DomainError) return failedOf(error)
  if (isDatabaseGone(error)) {
    const { forLog, forCallers } = describeGone(error)
    request.log.warn({ err: error, reqId: request.id }, forLog)
    return failedOf(unavailable(forCallers))
  }
  request.log.error({ err: error, reqId: request.id }, 'internal error')
  return unexpected(`Something went wrong here. Tell the operator the request id ${request.id}.`)
}
