import { readObject } from '../../api/objects.ts'
import { Refusal } from '../../api/refusal.ts'
import type { Answer } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'
import { difference } from '../../typing/merge.ts'
import type { Option } from '../../ui/form/field.tsx'

export type Template = Answer<'/v1/whatsapp/templates/:id'>

export const templateOf = (id: string) => oneOf('/v1/whatsapp/templates/:id', { id })

export const categories: Option<Template['category']>[] = [
  { value: 'utility', label: 'Utility' },
  { value: 'marketing', label: 'Marketing' },
  { value: 'authentication', label: 'Authentication' },
]

/** Templates can be edited and submitted in these statuses. */
export function isEditable({ status }: Template): boolean {
  return status === 'draft' || status === 'rejected'
}

/** The fields that an author writes, as a form holds them. Empty components are none. */
export type Written = { body: string; category: string; language: string; components: string }

export const labels: Record<keyof Written, string> = {
  body: 'Body',
  category: 'Category',
  language: 'Language',
  components: 'Components',
}

export function writtenOf({ body, category, language, components }: Template): Written {
  return { body, category, language, components: components === null ? '' : JSON.stringify(components, null, 2) }
}

/**
 * Returns the body of a change: the fields that differ from what is stored. Throws a refusal at the field for
 * components that are no JSON object.
 */
export function changesOf(written: Written, stored: Written) {
  const { components, ...texts } = difference(written, stored)
  return { ...texts, ...(components !== undefined && { components: readComponents(components) }) }
}

function readComponents(text: string): Template['components'] {
  if (text.trim() === '') return null
  const components = readObject(text)
  if (components) return components
  const message = 'must be a JSON object'
  throw new Refusal(400, { message, errors: [{ path: 'components', message }] })
}
