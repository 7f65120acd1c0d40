import {
  type AwsError,
  isOfCredentials,
  isThrottled,
  reasonOf,
  statusOf,
  wasNeverConnected,
} from '../../../platform/aws/failure.ts'

/** `passing`: nothing was done, and what was asked is not to blame; `unknown`: it may have been done; `refusal`: for good. */
export type AwsFailure =
  | { kind: 'passing' | 'unknown'; message: string }
  | { kind: 'refusal'; message: string; data: Record<string, unknown> }

/** As the protocol has it beside the name and the words. */
type AwsRefusal = AwsError & { Reason?: string; ResourceType?: string }

const service = 'AWS End User Messaging'

/** What a failed call means. `hasLeft`: the request was on its way to the network. */
export function judgeFailure(given: unknown, { hasLeft, region }: { hasLeft: boolean; region: string }): AwsFailure {
  const error = given as AwsRefusal
  const status = statusOf(error)
  if (status !== undefined && status >= 300) return judgeAnswer(error, status, region)
  if (status !== undefined)
    return { kind: 'unknown', message: `${service} took the message, but its answer cannot be read.` }
  const reason = reasonOf(error, service, region)
  if (!hasLeft || wasNeverConnected(error))
    return { kind: 'passing', message: `${service} could not be asked: ${reason}` }
  return { kind: 'unknown', message: `The connection to ${service} was lost before its answer: ${reason}` }
}

function judgeAnswer(error: AwsRefusal, status: number, region: string): AwsFailure {
  if (status === 503 || status === 408)
    return { kind: 'passing', message: `${service} takes nothing at the moment (${status}).` }
  if (status >= 500) return { kind: 'unknown', message: `${service} has a fault of its own (${status}).` }
  if (isThrottled(error, status) || error.name === 'ServiceQuotaExceededException')
    return { kind: 'passing', message: `${service} takes no more for now: ${wordsOf(error)}` }
  if (isOfCredentials(error, status) || !isWordOnMessage(error, status))
    return { kind: 'passing', message: shutOut(error, status, region) }
  if (isOfConfiguration(error))
    return { kind: 'passing', message: `${service} does not know what SMS_AWS_CONFIGURATION_SET names in ${region}.` }
  return {
    kind: 'refusal',
    message: `${service} refused: ${wordsOf(error)}`,
    data: {
      messageStatus: error.Reason ?? error.name,
      messageStatusDescription: wordsOf(error),
      errorName: error.name,
    },
  }
}

/** All that Amazon has against a message comes as 400 and has a name; the rest is of the way there. */
function isWordOnMessage({ name }: AwsRefusal, status: number): boolean {
  return status === 400 && name !== 'Unknown' && name !== 'SyntaxError'
}

/** Amazon's own words are left out: they may quote a signed request. */
function shutOut({ name }: AwsRefusal, status: number, region: string): string {
  return `${service} does not let us in (${name}, ${status}): check that the AWS credentials are valid and may use sms-voice in ${region}, and SMS_AWS_ENDPOINT where it is set.`
}

/** The operator's to mend; the message is not to blame. */
function isOfConfiguration({ name, ResourceType }: AwsRefusal): boolean {
  return name === 'ResourceNotFoundException' && ResourceType === 'configuration-set'
}

/** Without names of the operator's resources, which hold the number of the account. */
function wordsOf({ name, message, Reason }: AwsRefusal): string {
  const words = (message || name).slice(0, 500).replaceAll(/arn:aws[\w-]*:\S+/g, 'a resource')
  return Reason ? `${words} (${Reason})` : words
}
