import { placeholder } from '../../../src/templates/placeholder.ts'

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

/** The fields that an author writes, as a form holds them. Empty is none. */
export type Written = { name: string; html: string; text: string }

export const emptyTemplate: Written = { name: '', html: '', text: '' }

export const labels: Record<keyof Written, string> = { name: 'Name', html: 'HTML', text: 'Text' }

export function writtenOf({ name, html, text }: Template): Written {
  return { name, html: html ?? '', text: text ?? '' }
}

/** Returns the body of a new template, or the fields that differ from those that are stored. */
export function bodyOf(written: Written, stored?: Written): Record<string, string | null> {
  const fields = (Object.keys(labels) as (keyof Written)[]).filter((field) => written[field] !== stored?.[field])
  return Object.fromEntries(fields.map((field) => [field, written[field] || (field === 'name' ? '' : null)]))
}

/** Ours: more fields are of little use to an author. */
const variablesMax = 200

/** Returns the names of the variables in the bodies, in their order, at most 200. */
export function variablesIn(...bodies: string[]): string[] {
  const names = new Set<string>()
  for (const body of bodies) {
    for (const [, name = ''] of body.matchAll(placeholder)) {
      names.add(name)
      if (names.size === variablesMax) return [...names]
    }
  }
  return [...names]
}
