/** Tells whether a name always means this machine, without asking a resolver (RFC 6761 6.3). */
export function isLocalName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}
