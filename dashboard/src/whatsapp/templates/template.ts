import { oneOf } from '../../api/use-one.ts'

export type Template = {
  id: string
  name: string
  language: string
  category: 'marketing' | 'utility' | 'authentication'
  status: 'draft' | 'submitted' | 'approved' | 'rejected' | 'disabled'
  body: string
  variableCount: number
  components: Record<string, unknown> | null
  providerRef: string | null
  rejectionReason: string | null
  createdAt: string
  updatedAt: string
}

export const templatesPath = '/v1/whatsapp/templates'
export const templateOf = (id: string) => oneOf<Template>(templatesPath, id)

export const categories = [
  { value: 'utility', label: 'Utility' },
  { value: 'marketing', label: 'Marketing' },
  { value: 'authentication', label: 'Authentication' },
]

/** Templates can be edited and submitted in these statuses. */
export function isEditable({ status }: Template): boolean {
  return status === 'draft' || status === 'rejected'
}
