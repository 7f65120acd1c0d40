import { type FailureLog, noteFailures } from '../../platform/log/note-failures.ts'
import { defineWhatsappProvider, type WhatsappProvider } from '../provider.ts'
import { type GraphAccess, graphClient, idSegment } from './meta/client.ts'
import { judgeAnswer } from './meta/judge-answer.ts'
import { messageOf } from './meta/message.ts'
import { registerSender } from './meta/register-sender.ts'
import { metaRoutes } from './meta/routes.ts'
import { metaSettings } from './meta/settings.ts'
import { submitTemplate } from './meta/submit-template.ts'

export const meta = defineWhatsappProvider({
  name: 'meta',
  about: 'Sends through the WhatsApp Cloud API; see [text-messages.md](text-messages.md).',
  settings: metaSettings,
  routes: metaRoutes,
  create: ({ accessToken, apiBase, apiVersion, registrationPin }, { log, names: { resolve } }) =>
    metaProvider({ accessToken, apiBase, apiVersion, registrationPin, resolve, log }),
})

export type MetaOptions = GraphAccess & {
  /** The PIN to register numbers with; null if the operator registers them. */
  registrationPin: string | null
  log: FailureLog
  timeoutMs?: number
}

/** Less than the 30 s for which a process holds a message. */
const usualTimeoutMs = 20_000

/** Sends through the WhatsApp Cloud API. */
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
      const answer = judgeAnswer(await client.post(path, messageOf(message)), message.to)
      if (answer.kind === 'unavailable' || answer.kind === 'unknown') failures.note(answer.message)
      else failures.clear()
      return answer
    },
    registerSender: (sender) => registerSender(client, sender, registrationPin),
    submitTemplate: (template) => submitTemplate(client, template),
    close: () => client.close(),
  }
}
