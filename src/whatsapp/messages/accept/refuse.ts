import { DomainError, invalid, unprocessable } from '../../../platform/errors.ts'
import { isWindowOpen, type OpenConversation } from '../../conversations/open.ts'
import type { SendingSender } from '../../senders/queries.ts'
import { isFilledLonger, whatsappBodyMax } from '../../templates/placeholders.ts'
import type { SendingTemplate } from '../../templates/queries.ts'
import type { WhatsappCommand } from './parse.ts'

/** Returns the refusal of a message, in the order of checks: sender, template, variables. Null if it may be sent. */
export function refusalOf(
  command: WhatsappCommand,
  sender: SendingSender | undefined,
  template: SendingTemplate | undefined,
): DomainError | null {
  if (sender?.status !== 'active') return senderNotActive()
  if (command.kind === 'text') return null
  if (template?.status !== 'approved') return templateNotApproved(template)
  const { variables } = command
  if (variables.length !== template.variableCount)
    return invalid('variables', `the template takes ${template.variableCount}, and ${variables.length} are given`)
  if (isFilledLonger(template.body, variables, whatsappBodyMax))
    return invalid('variables', `make a text of more than ${whatsappBodyMax} characters`)
  return null
}

function senderNotActive(): DomainError {
  const message =
    'senderId: is no active WhatsApp sender of this team. Verify it with POST /v1/whatsapp/senders/{id}/verify.'
  return new DomainError('invalid', message, { name: 'sender_not_active' })
}

function templateNotApproved(template: SendingTemplate | undefined): DomainError {
  const what = template ? `The template is ${template.status}, and` : 'The team has no such template, and'
  return unprocessable('template_not_approved', `${what} only approved ones can be sent. See /v1/whatsapp/templates.`)
}

/** Returns the refusal of a message to a person who was erased. */
export function erasedRefusal(): DomainError {
  return unprocessable('recipient_erased', 'This person was erased on request. Nothing is sent to the number again.')
}

/** Returns the refusal of marketing to a customer who has stopped it. */
export function marketingRefusal(to: string): DomainError {
  const message = `${to} has stopped marketing messages in WhatsApp. Send only utility and authentication templates until the person resumes them there.`
  return new DomainError('forbidden', message, { body: { error: 'RECIPIENT_OPTED_OUT', message } })
}

/** Returns the refusal of free text outside an open window, or null. */
export function windowRefusal(conversation: OpenConversation | undefined, now: Date): DomainError | null {
  if (conversation && isWindowOpen(conversation.windowExpiresAt, now)) return null
  const message =
    'There is no open conversation window with this number: it has not written within 24 hours. Send a template instead.'
  return unprocessable('no_open_conversation', message)
}
