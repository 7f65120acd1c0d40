import { besideAddress, enhancedCodes, placeOf } from './beside.ts'
import { shown } from './fields.ts'
import type { RecipientStatus, TextBounce } from './report.ts'

/**
 * Reads the statuses of the email's recipients, and of those that the report's header names, from a bounce as text. The
 * code beside an address counts. If the text names one address alone, an enhanced status code anywhere does. Without a
 * code, and without words of a failure or delay, the text says nothing.
 */
export function statusesInText(
  { text, failed, isFailure, isWarning }: TextBounce,
  recipients: readonly string[],
): RecipientStatus[] {
  const all = [...new Set([...recipients, ...failed])]
  const named = all.filter((address) => placeOf(address, text) !== -1)
  const anywhere = named.length === 1 ? enhancedCodes(text).find((code) => !code.startsWith('2.')) : undefined
  return all.flatMap((address) => {
    const beside = besideAddress(address, text, { hasReplies: isFailure || isWarning })
    if (beside?.isSuccess) return []
    const status = beside?.status ?? (beside ? anywhere : undefined) ?? null
    if (status === null && !(beside ? isFailure || isWarning : failed.includes(address))) return []
    const diagnosticCode = beside?.diagnosticCode ?? `x-words; ${shown(text)}`
    return [statusIn(address, status, diagnosticCode, isWarning)]
  })
}

function statusIn(address: string, code: string | null, diagnosticCode: string, isWarning: boolean): RecipientStatus {
  const isPermanent = code?.startsWith('5.') ?? false
  return {
    names: [address],
    action: isWarning && !isPermanent ? 'delayed' : 'failed',
    status: code ?? (isWarning ? '4.0.0' : '5.0.0'),
    diagnosticCode,
    isGuess: !isPermanent,
  }
}
