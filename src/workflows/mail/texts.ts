import { invalid } from '../../platform/errors.ts'
import type { FilledForm } from '../../templates/link-places.ts'
import { fillGaps } from '../../templates/link-values.ts'
import { findPlaceholders } from '../../templates/placeholder.ts'
import type { TemplateVariables } from '../../templates/render.ts'
import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'
import { piecesOf, textOf } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'

const filledMax = 1024 * 1024

type Texts = { context: Context; variables: TemplateVariables; form: FilledForm }

/**
 * Fills the variables of a template and the placeholders of the workflow at once, so that no value is expanded again.
 */
export function fillText(source: string, { context, variables, form }: Texts): string {
  const [stretches, values]: [string[], string[]] = [[''], []]
  const filling = fillingOf(context)
  let length = 0
  const add = (text: string, isValue: boolean) => {
    length += text.length
    filling.take(text.length)
    if (length > filledMax) throw tooLong()
    if (isValue) {
      values.push(text)
      stretches.push('')
    } else stretches[stretches.length - 1] += text
  }
  const addPieces = (text: string) => {
    for (const { text: written, path } of piecesOf(text)) {
      const value = path === null ? undefined : lookUp(path, context)
      add(value === undefined ? written : textOf(value), value !== undefined)
    }
  }
  let start = 0
  for (const { written, name, index } of findPlaceholders(source)) {
    if (!Object.hasOwn(variables, name)) continue
    addPieces(source.slice(start, index))
    add(String(variables[name] ?? ''), true)
    start = index + written.length
  }
  addPieces(source.slice(start))
  const filled = fillGaps(stretches, values, form)
  if (filled.length > filledMax) throw tooLong()
  return filled
}

function tooLong() {
  return invalid('template_variables', `make a text of more than ${filledMax} characters`)
}
