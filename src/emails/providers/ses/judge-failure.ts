import {
  type AwsError,
  isOfCredentials,
  isThrottled,
  reasonOf,
  statusOf,
  wasNeverConnected,
} from '../../../platform/aws/failure.ts'
import { cutText } from '../../../platform/text/cut.ts'
import { type EmailAnswer, unreachableFor } from '../../provider.ts'

type SesFailure = Exclude<EmailAnswer, { kind: 'answered' }>

/**
 * Judges a failed call. Amazon accepts or refuses a message as a whole, and has not sent a refused one. A refusal
 * is never a bounce, because nearly every reason lies in the account or the domain and passes: the message is withdrawn
 * or tried again. `hasLeft` says that the request was given to the network.
 */
export function judgeFailure(given: unknown, { hasLeft, region }: { hasLeft: boolean; region: string }): SesFailure {
  const error = given as AwsError
  const status = statusOf(error)
  if (status !== undefined && status >= 300) {
    const message = `Amazon SES refused the message: ${adviceOn(error, status, region)}`
    return { kind: 'unavailable', message, diagnosis: { status: '4.3.0', diagnosticCode: message }, isReachable: true }
  }
  if (status !== undefined)
    return { kind: 'unknown', message: 'Amazon SES accepted the message, but its answer could not be read.' }
  if (!hasLeft || wasNeverConnected(error))
    return unreachableFor(`Amazon SES could not be reached: ${reasonOf(error, 'Amazon SES', region)}`)
  const lost = 'The connection to Amazon SES was lost after the message and before its answer'
  return { kind: 'unknown', message: `${lost}: ${reasonOf(error, 'Amazon SES', region)}` }
}

/** Says what to do. Amazon's message is left out if it may quote a signed request. */
function adviceOn(error: AwsError, status: number, region: string): string {
  const { name, message } = error
  const quoted = cutText(message ?? '', 500)
  if (isThrottled(error, status)) return `${quoted || name} Send more slowly, or have the sending quota raised.`
  if (isOfCredentials(error, status))
    return `${name}. Check that the AWS credentials are valid and may call ses:SendEmail and ses:SendRawEmail in ${region}.`
  if (status >= 500) return `it reports an internal error (${status}).`
  return `${quoted}${/[.!?]$/.test(quoted) ? '' : '.'} ${advice[name] ?? ''}`.trimEnd()
}

const advice: Record<string, string> = {
  AccountSuspendedException: 'The account may send no more mail: ask AWS Support.',
  SendingPausedException: 'Sending is paused for the account or the configuration set: resume it in the SES console.',
  MailFromDomainNotVerifiedException: 'Verify the custom MAIL FROM domain in the SES console.',
  MessageRejected:
    'Verify the domain in the SES console for its region; an account in the sandbox reaches only verified addresses.',
  NotFoundException: 'Check SES_CONFIGURATION_SET and the region of the domain.',
}
