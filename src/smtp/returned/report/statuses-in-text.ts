import { enhancedCode } from './delivery-status.ts'
import { shown } from './fields.ts'
import type { RecipientStatus, TextBounce } from './report.ts'

/**
 * Reads the statuses of the email's recipients from a bounce as text. The text after an address is about that address, and an
 * enhanced status code there counts.
 */
export function statusesInText(
  { text, failed, isWarning }: TextBounce,
  recipients: readonly string[],
): RecipientStatus[] {
  const places = recipients
    .map((address) => ({ address, at: placeOf(address, text) }))
    .filter(({ at }) => at !== -1)
    .sort((left, right) => left.at - right.at)
  const told = places.map(({ address, at }, index) => {
    const about = text.slice(at, places[index + 1]?.at)
    const code = enhancedCode(about) ?? (places.length === 1 ? enhancedCode(text) : null)
    return statusIn(address, about, code, isWarning)
  })
  const untold = failed.filter((address) => placeOf(address, text) === -1)
  return [...told, ...untold.map((address) => statusIn(address, text, null, isWarning))]
}

/** Finds a whole address: `smith@c.example` is neither in `j.smith@c.example` nor in `smith@c.example.net`. */
function placeOf(address: string, text: string): number {
  const literal = address.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return text.search(new RegExp(`(?<![\\w.!#$%&'*+/=?^\`{|}~-])${literal}(?![\\w-]|\\.[\\w-])`, 'i'))
}

function statusIn(address: string, about: string, code: string | null, isWarning: boolean): RecipientStatus {
  const isPermanent = code?.startsWith('5.') ?? false
  return {
    names: [address],
    action: isWarning && !isPermanent ? 'delayed' : 'failed',
    status: code ?? (isWarning ? '4.0.0' : '5.0.0'),
    diagnosticCode: `x-words; ${shown(about)}`,
    isGuess: !isPermanent,
  }
}
