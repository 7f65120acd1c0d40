/** Names that mean this machine whatever a resolver answers (RFC 6761 6.3). */
export function isLocalName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}
