import { bounceNotification } from '../../notification.ts'
import type { MessageHead } from '../../provider.ts'
import type { EmailFact } from './consequences.ts'

/** Makes the fact that a recipient was suppressed after the email was accepted, in the form that Amazon SES uses. */
export function suppressedFact(message: MessageHead, recipient: string): EmailFact {
  const diagnosis = { permanent: true, status: '5.1.1', diagnosticCode: 'The address is on the suppression list.' }
  return {
    type: 'bounced',
    recipient,
    permanent: true,
    suppress: false,
    data: bounceNotification(message, recipient, diagnosis, message.at),
  }
}
