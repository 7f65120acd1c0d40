import type { OutboundWhatsapp } from '../../provider.ts'
import type { AcceptedMessage } from '../accept/accept.ts'

/** The message just accepted, from memory. An active sender has both its ids. */
export function outboundOf({ id, teamId, sender, to, template, variables, body }: AcceptedMessage): OutboundWhatsapp {
  const { phoneNumber: from, phoneNumberId, wabaId } = sender
  return {
    ...{ teamId, messageId: id, phoneNumberId: phoneNumberId!, wabaId: wabaId!, from, to },
    content: template
      ? { kind: 'template', ...contentOf(template), variables: variables!, body }
      : { kind: 'text', body },
  }
}

function contentOf({ name, language, components }: NonNullable<AcceptedMessage['template']>) {
  return { name, language, components }
}
