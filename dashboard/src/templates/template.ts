import { findPlaceholders } from '../../../src/templates/placeholder.ts'
import type { Answer, RowOf } from '../api/request.ts'

export type Template = Answer<'/v1/templates/:id'>
/** A template of the list, which has no bodies. */
export type TemplateRow = RowOf<'/v1/templates'>

/** The fields that an author writes, as a form holds them. Empty is none. */
export type Written = { name: string; html: string; text: string }

export const emptyTemplate: Written = { name: '', html: '', text: '' }

export const labels: Record<keyof Written, string> = { name: 'Name', html: 'HTML', text: 'Text' }

export function writtenOf({ name, html, text }: Template): Written {
  return { name, html: html ?? '', text: text ?? '' }
}

/** Returns the body of a request with these fields. */
export function bodyOf({ name, html, text }: Written) {
  return { name, html: html || null, text: text || null }
}

/** Ours: more fields are of little use to an author. */
const variablesMax = 200

/** Returns the names of the variables in the bodies, in their order, at most 200. */
export function variablesIn(...bodies: string[]): string[] {
  const names = new Set<string>()
  for (const body of bodies) {
    for (const { name } of findPlaceholders(body)) {
      names.add(name)
      if (names.size === variablesMax) return [...names]
    }
  }
  return [...names]
}
