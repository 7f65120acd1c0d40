import { conflict, invalid } from '../../platform/errors.ts'
import type { WhatsappTemplateStatus } from './table.ts'

/** The statuses in which a template can be edited. During and after a review it stays as it was reviewed. */
export const editable: readonly WhatsappTemplateStatus[] = ['draft', 'rejected']

export function refuseBadName(name: string): void {
  if (!/^[a-z0-9_]+$/.test(name)) throw invalid('name', 'must be of lowercase letters, digits and underscores')
}

const componentsMaxBytes = 64 * 1024

export function refuseLargeComponents(components: Record<string, unknown> | null | undefined): void {
  if (components && Buffer.byteLength(JSON.stringify(components)) > componentsMaxBytes)
    throw invalid('components', 'must be at most 64 KiB as JSON')
}

export function duplicateTemplate(name: string, language: string) {
  return conflict(`The team already has a WhatsApp template ${name} in the language ${language}.`)
}

/** Returns the refusal of an edit or a submission that the status, or a running submission, does not allow. */
export function lockedTemplate(status: WhatsappTemplateStatus, verb: 'edited' | 'submitted') {
  if (editable.includes(status)) return conflict('This template is being submitted. Look at it again in a minute.')
  return conflict(`A template that is ${status} cannot be ${verb}; only draft and rejected ones can.`)
}
