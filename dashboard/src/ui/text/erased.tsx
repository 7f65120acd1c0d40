/** An address or a number of an erased person: only a keyed hash is kept of it, so that it stays blocked. */
export function isErased(address: string): boolean {
  return address.startsWith('erased:')
}

/** An address or number in a list. `noun` is what it is, such as *number*. */
export function KeptAddress({ address, noun }: { address: string; noun: string }) {
  if (isErased(address)) return <span title={address}>{erasedName(noun)}</span>
  return <span className="mono">{address}</span>
}

/** Returns the name of a kept address, for example for the name of a button. */
export function nameOfKept(address: string, noun: string): string {
  return isErased(address) ? erasedName(noun).toLowerCase() : address
}

function erasedName(noun: string): string {
  return `Erased ${noun}`
}
