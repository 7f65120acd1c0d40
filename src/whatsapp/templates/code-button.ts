import type { WhatsappTemplateCategory } from './table.ts'

type Components = Record<string, unknown> | null

/**
 * Returns the components of a template. One for one-time passwords without buttons gets one that copies the code: Meta
 * asks for it in the template, and for the code in it with each message.
 */
export function withCodeButton(category: WhatsappTemplateCategory, components: Components): Components {
  if (category !== 'authentication' || Array.isArray(components?.buttons)) return components
  return { ...components, buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }
}
