import { useHasRole } from '../session/me.ts'

export type Template = {
  id: string
  name: string
  html: string | null
  text: string | null
  status: 'draft' | 'published'
  createdAt: string
  updatedAt: string
}
/** A template of the list, which has no bodies. */
export type TemplateRow = Omit<Template, 'html' | 'text'>

export const templatesPath = '/v1/templates'

export function useMayEditTemplates(): boolean {
  return useHasRole('owner', 'admin', 'marketer')
}

/** Ours: more fields are of little use to an author. */
const variablesMax = 200

/** Returns the names of the variables in the bodies, in their order, at most 200. */
export function variablesIn(...bodies: string[]): string[] {
  // As the server finds them.
  const placeholder = /\{\{[ \t]*([\p{L}\p{M}\p{Nd}_.-]+)[ \t]*\}\}/gu
  const names = new Set<string>()
  for (const body of bodies) {
    for (const [, name = ''] of body.matchAll(placeholder)) {
      names.add(name)
      if (names.size === variablesMax) return [...names]
    }
  }
  return [...names]
}
