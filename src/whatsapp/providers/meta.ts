import { type FailureLog, noteFailures } from '../../platform/note-failures.ts'
import type { WhatsappProvider } from '../provider.ts'
import { type GraphAccess, graphClient, idSegment } from './meta/client.ts'
import { judgeAnswer } from './meta/judge-answer.ts'
import { messageOf } from './meta/message.ts'
import { registerSender } from './meta/register-sender.ts'
import { submitTemplate } from './meta/submit-template.ts'

export type MetaOptions = GraphAccess & {
  /** Registers numbers that are not registered yet; null where operators do that themselves. */
  registrationPin: string | null
  log: FailureLog
  timeoutMs?: number
}

/** Shorter than the 30 s for which a process holds a message. */
const usualTimeoutMs = 20_000

/** `WHATSAPP_PROVIDER=meta`: the WhatsApp Cloud API. */
export function metaProvider({
  registrationPin,
  log,
  timeoutMs = usualTimeoutMs,
  ...access
}: MetaOptions): WhatsappProvider {
  const client = graphClient(access, timeoutMs)
  const failures = noteFailures(log, 'The WhatsApp Cloud API')
  return {
    name: 'meta',
    async send(message) {
      const path = `/${idSegment(message.phoneNumberId)}/messages`
      const answer = judgeAnswer(await client.post(path, messageOf(message)))
      if (answer.kind === 'unavailable' || answer.kind === 'unknown') failures.note(answer.message)
      else failures.clear()
      return answer
    },
    registerSender: (sender) => registerSender(client, sender, registrationPin),
    submitTemplate: (template) => submitTemplate(client, template),
    close: () => client.close(),
  }
}
