import type { OutboundWhatsapp, WhatsappProvider } from '../provider.ts'

/** `WHATSAPP_PROVIDER=capture`: keeps every message for the inbox, and takes every sender and template. */
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
