/**
 * Tells whether an address in a message of Amazon SNS is Amazon SNS's own: `https` and its host, without anything else.
 * `standIn` is an endpoint that replaces Amazon's services, including SNS.
 */
export function isSnsUrl(text: string, standIn: string | null): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  if (standIn !== null && url.origin === new URL(standIn).origin) return true
  return url.protocol === 'https:' && url.port === '' && snsHost.test(url.hostname)
}

/** The European Sovereign Cloud (`eusc-…`) has a top-level domain of its own. */
const snsHost = /^sns\.(?:[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?|eusc-[a-z0-9-]{1,35}\.amazonaws\.eu)$/

/**
 * Tells whether a URL names a certificate. Only one path is allowed, so that no other answer of the host is taken for
 * one.
 */
export function isCertificateUrl(text: string, standIn: string | null): boolean {
  if (!isSnsUrl(text, standIn)) return false
  const { pathname, search, hash } = new URL(text)
  return certificatePath.test(pathname) && search === '' && hash === ''
}

const certificatePath = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/
