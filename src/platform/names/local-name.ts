/** Names that mean this machine whatever a resolver says (RFC 6761 6.3). */
export function isLocalName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}
