export type SesFailure = { kind: 'unavailable' | 'unknown'; name: string; message: string }

type SesError = Error & {
  code?: string
  syscall?: string
  errors?: SesError[]
  $metadata?: { httpStatusCode?: number }
  $response?: { statusCode?: number }
}

/**
 * What a failed call means. Amazon takes a message whole or refuses it whole, and what it refuses it has not sent: such
 * mail is withdrawn or tried again, never bounced, since nearly every reason is an account's or a domain's, and passes.
 * `hasLeft`: the request was on its way to the network.
 */
export function judgeFailure(given: unknown, { hasLeft, region }: { hasLeft: boolean; region: string }): SesFailure {
  const error = given as SesError
  const name = error.name ?? 'Error'
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode
  if (status !== undefined && status >= 300)
    return { kind: 'unavailable', name, message: `Amazon SES refused the message: ${adviceOn(error, status, region)}` }
  if (status !== undefined)
    return { kind: 'unknown', name, message: 'Amazon SES took the message, but its answer cannot be read.' }
  if (!hasLeft || wasNeverConnected(error))
    return { kind: 'unavailable', name, message: `Amazon SES could not be asked: ${reasonOf(error, region)}` }
  const lost = 'The connection to Amazon SES was lost after the message and before its answer'
  return { kind: 'unknown', name, message: `${lost}: ${reasonOf(error, region)}` }
}

/**
 * Until a connection stands and its certificate is good, nothing of the message has left. Faults of TLS that are not
 * certainly of its beginning count as later ones.
 */
function wasNeverConnected(error: SesError): boolean {
  if (error.errors?.length) return error.errors.every(wasNeverConnected)
  if (error.syscall === 'connect' || error.syscall === 'getaddrinfo') return true
  return notYet.test(error.message) || uncertified.test(error.code ?? '')
}

const notYet = /did not establish a connection|before secure TLS connection|SSL routines:.*wrong version number/
const uncertified = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_CERT)/

function reasonOf(error: SesError, region: string): string {
  if (error.name === 'CredentialsProviderError') return noCredentials
  if (error.code === 'ENOTFOUND')
    return `there is no Amazon SES in the region ${region}, or its name cannot be looked up.`
  // Asked first: the library calls a connection that was cut a time-out as well.
  if (typeof error.code === 'string') return `${error.code}.`
  return /^(Timeout|Abort)Error$/.test(error.name) ? 'it did not answer in time.' : `${error.name}.`
}

const noCredentials =
  'no AWS credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role.'

/** What to do about it. Amazon's own words are left out where they may quote a signed request. */
function adviceOn({ name, message }: SesError, status: number, region: string): string {
  const quoted = (message ?? '').slice(0, 500)
  if (status === 429 || throttled.test(name))
    return `${quoted || name} Send more slowly, or have the sending quota raised.`
  if (status === 401 || status === 403 || ofCredentials.test(name))
    return `${name}. Check that the AWS credentials are valid and may call ses:SendEmail in ${region}.`
  if (status >= 500) return `it has a fault of its own (${status}).`
  return `${quoted}${/[.!?]$/.test(quoted) ? '' : '.'} ${advice[name] ?? ''}`.trimEnd()
}

const ofCredentials = /Signature|Token|Authorization|UnrecognizedClient|AccessDenied/
const throttled = /Throttl|TooManyRequests|LimitExceeded/

const advice: Record<string, string> = {
  AccountSuspendedException: 'The account may send no more mail: ask AWS Support.',
  SendingPausedException: 'Sending is paused for the account or the configuration set: resume it in the SES console.',
  MailFromDomainNotVerifiedException: 'Verify the custom MAIL FROM domain in the SES console.',
  MessageRejected:
    'Verify the domain in the SES console for its region; an account in the sandbox reaches only verified addresses.',
  NotFoundException: 'Check SES_CONFIGURATION_SET and the region of the domain.',
}
