import { bounceNotification, mailOf, type NotifiedMessage } from '../../notification.ts'
import type { EmailAnswer } from '../../provider.ts'
import type { EmailFact } from './consequences.ts'

/** Says that an email was handed over. The answer is null if it is not known and the provider reports on the email. */
export function sentFact(message: NotifiedMessage, answer: EmailAnswer | null): EmailFact {
  const response = answer?.kind === 'answered' && answer.response !== null && { smtpResponse: answer.response }
  return {
    type: 'sent',
    recipient: null,
    data: { notificationType: 'Send', mail: mailOf(message), ...response },
  }
}

/** Says that a recipient was suppressed after the email was accepted, in the form that Amazon SES uses. */
export function suppressedFact(message: NotifiedMessage, recipient: string): EmailFact {
  const diagnosis = { permanent: true, status: '5.1.1', diagnosticCode: 'The address is on the suppression list.' }
  return unsentFact(message, recipient, diagnosis)
}

/** Says why a message was not sent to a recipient. The address is not at fault. */
export function discardedFact(message: NotifiedMessage, recipient: string, reason: string): EmailFact {
  const diagnosis = { permanent: true, blamed: false, status: '5.3.0', diagnosticCode: `Given up: ${reason}` }
  return unsentFact(message, recipient, diagnosis)
}

function unsentFact(
  message: NotifiedMessage,
  recipient: string,
  diagnosis: Parameters<typeof bounceNotification>[2],
): EmailFact {
  const data = bounceNotification(message, recipient, diagnosis, message.at)
  return { type: 'bounced', recipient, permanent: true, suppress: false, data }
}
