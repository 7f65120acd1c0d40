/** An error of the library: a refusal by the service, or a fault of the network, the credentials or the time limit. */
export type AwsError = Error & {
  code?: string
  syscall?: string
  errors?: AwsError[]
  $metadata?: { httpStatusCode?: number }
  $response?: { statusCode?: number }
}

/** Undefined if there was no answer. */
export function statusOf(error: AwsError): number | undefined {
  return error.$metadata?.httpStatusCode ?? error.$response?.statusCode
}

/**
 * True if nothing of the message was sent: no connection was made, or its certificate was refused. Faults of TLS that
 * may have happened later count as sent.
 */
export function wasNeverConnected(error: AwsError): boolean {
  if (error.errors?.length) return error.errors.every(wasNeverConnected)
  if (error.syscall === 'connect' || error.syscall === 'getaddrinfo') return true
  return notYet.test(error.message) || uncertified.test(error.code ?? '')
}

const notYet = /did not establish a connection|before secure TLS connection|SSL routines:.*wrong version number/
const uncertified = /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_TLS_CERT)/

/** Explains why there was no answer. `service` is the name that operators know, such as `Amazon SES`. */
export function reasonOf(error: AwsError, service: string, region: string): string {
  if (error.name === 'CredentialsProviderError') return noCredentials
  if (error.code === 'ENOTFOUND')
    return `there is no ${service} in the region ${region}, or its name cannot be looked up.`
  // Checked first, because the library also calls a broken connection a time-out.
  if (typeof error.code === 'string') return `${error.code}.`
  return /^(Timeout|Abort)Error$/.test(error.name) ? 'it did not answer in time.' : `${error.name}.`
}

const noCredentials =
  'no AWS credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role.'

/**
 * Refusals of the operator's credentials. Their texts are not shown to teams, since they may quote a signed request.
 */
export function isOfCredentials({ name }: AwsError, status: number): boolean {
  return status === 401 || status === 403 || ofCredentials.test(name)
}

const ofCredentials = /Signature|Token|Authorization|UnrecognizedClient|AccessDenied/

export function isThrottled({ name }: AwsError, status: number): boolean {
  return status === 429 || throttled.test(name)
}

const throttled = /Throttl|TooManyRequests|LimitExceeded/
