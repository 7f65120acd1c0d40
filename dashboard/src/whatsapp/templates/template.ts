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

/** Fills the placeholders of a body. Those without a value stay, so that one sees what is missing. */
export function fillIn(body: string, variables: string[]): string {
  return body.replace(/\{\{([1-9]\d{0,4})\}\}/g, (written, number: string) => variables[Number(number) - 1] || written)
}
