/**
 * Whether an address in a message of Amazon SNS is Amazon SNS's own: `https`, its host by name and nothing else.
 * `standIn`: an endpoint in place of Amazon's own services, which then stands in for its SNS as well.
 */
export function isSnsUrl(text: string, standIn: string | null): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  if (standIn !== null && url.origin === new URL(standIn).origin) return true
  return url.protocol === 'https:' && url.port === '' && snsHost.test(url.hostname)
}

const snsHost = /^sns\.[a-z0-9-]{3,40}\.amazonaws\.com(\.cn)?$/

/** Nothing else that such a host answers, to a query say, is taken for a certificate. */
export function isCertificateUrl(text: string, standIn: string | null): boolean {
  if (!isSnsUrl(text, standIn)) return false
  const { pathname, search, hash } = new URL(text)
  return certificatePath.test(pathname) && search === '' && hash === ''
}

const certificatePath = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/
