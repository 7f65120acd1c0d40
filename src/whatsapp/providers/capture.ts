import { defineWhatsappProvider, type OutboundWhatsapp, type WhatsappProvider } from '../provider.ts'
import { captureRoutes } from './capture/routes.ts'

export const capture = defineWhatsappProvider({
  name: 'capture',
  about:
    'Keeps all messages in the inbox and accepts every sender. You [post the review](text-messages.md#whatsapp-without-an-account) of a template.',
  settings: {},
  routes: captureRoutes,
  create: (_, { store }) => captureProvider({ store }),
})

/** Keeps every message in the inbox and accepts every sender. A template waits for the review that somebody posts. */
export function captureProvider({ store }: { store(message: OutboundWhatsapp): Promise<void> }): WhatsappProvider {
  return {
    name: 'capture',
    async send(message) {
      await store(message)
      return { kind: 'accepted', providerMessageId: `capture.${message.messageId}`, data: null }
    },
    registerSender: async () => ({ kind: 'active' }),
    submitTemplate: async ({ templateId }) => ({ kind: 'submitted', providerRef: `capture.${templateId}` }),
    close: async () => undefined,
  }
}
