import {
  type AwsError,
  isOfCredentials,
  isThrottled,
  reasonOf,
  statusOf,
  wasNeverConnected,
} from '../../../platform/aws/failure.ts'
import { cutText } from '../../../platform/text/cut.ts'

/**
 * `passing` means that nothing was done and the request was not at fault; `unknown`, that it may have been done;
 * `refusal`, that it was refused permanently.
 */
type AwsFailure =
  | { kind: 'passing' | 'unknown'; message: string }
  | { kind: 'refusal'; message: string; data: Record<string, unknown>; isOptOut: boolean }

/** Fields of the protocol's errors beside name and message. */
type AwsRefusal = AwsError & { Reason?: string; ResourceType?: string }

const service = 'AWS End User Messaging'

/** Classifies a failed call. `hasLeft` is true if the request was given to the network. */
export function judgeFailure(given: unknown, { hasLeft, region }: { hasLeft: boolean; region: string }): AwsFailure {
  const error = given as AwsRefusal
  const status = statusOf(error)
  if (status !== undefined && status >= 300) return judgeAnswer(error, status, region)
  if (status !== undefined)
    return { kind: 'unknown', message: `${service} accepted the message, but its answer could not be read.` }
  const reason = reasonOf(error, service, region)
  if (!hasLeft || wasNeverConnected(error))
    return { kind: 'passing', message: `${service} could not be reached: ${reason}` }
  return { kind: 'unknown', message: `The connection to ${service} was lost before its answer: ${reason}` }
}

function judgeAnswer(error: AwsRefusal, status: number, region: string): AwsFailure {
  if (status === 503 || status === 408)
    return { kind: 'passing', message: `${service} accepts no messages at the moment (${status}).` }
  if (status >= 500) return { kind: 'unknown', message: `${service} reports an internal error (${status}).` }
  if (isThrottled(error, status) || error.name === 'ServiceQuotaExceededException')
    return { kind: 'passing', message: `${service} accepts no more messages for now: ${wordsOf(error)}` }
  if (isOfCredentials(error, status) || !isWordOnMessage(error, status))
    return { kind: 'passing', message: shutOut(error, status, region) }
  if (isOfConfiguration(error))
    return {
      kind: 'passing',
      message: `${service} has no configuration set in ${region} with the name in SMS_AWS_CONFIGURATION_SET.`,
    }
  return {
    kind: 'refusal',
    message: `${service} refused: ${wordsOf(error)}`,
    data: {
      messageStatus: error.Reason ?? error.name,
      messageStatusDescription: wordsOf(error),
      errorName: error.name,
    },
    isOptOut: error.Reason === 'DESTINATION_PHONE_NUMBER_OPTED_OUT',
  }
}

/** True if Amazon refused the message: status 400 and a named error. Anything else is a fault on the way to Amazon. */
function isWordOnMessage({ name }: AwsRefusal, status: number): boolean {
  return status === 400 && name !== 'Unknown' && name !== 'SyntaxError'
}

/** Returns a message without Amazon's text, which may quote a signed request. */
function shutOut({ name }: AwsRefusal, status: number, region: string): string {
  return `${service} denies access (${name}, ${status}): check that the AWS credentials are valid and may use sms-voice in ${region}, and SMS_AWS_ENDPOINT if it is set.`
}

/** True for a fault in the operator's configuration, not in the message. */
function isOfConfiguration({ name, ResourceType }: AwsRefusal): boolean {
  return name === 'ResourceNotFoundException' && ResourceType === 'configuration-set'
}

/** Returns Amazon's message without ARNs, which contain the operator's account number. */
function wordsOf({ name, message, Reason }: AwsRefusal): string {
  const words = cutText(message || name, 500).replaceAll(/arn:aws[\w-]*:\S+/g, 'a resource')
  return Reason ? `${words} (${Reason})` : words
}
