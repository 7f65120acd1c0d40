import type { Answer } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'
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
