import { invalid } from '../../platform/errors.ts'
import type { FilledForm } from '../../templates/link-places.ts'
import { fillGaps, type GapValue } from '../../templates/link-values.ts'
import { findPlaceholders } from '../../templates/placeholder.ts'
import type { TemplateVariables } from '../../templates/render.ts'
import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'
import { isPlaceholder, piecesOf, textOf, valueBehind } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'

const filledMax = 1024 * 1024

type Texts = { context: Context; variables: TemplateVariables; form: FilledForm }

/**
 * Fills the variables of a template and the placeholders of the workflow at once, so that no value is expanded again.
 * As in templates, the text behind a bar stands in for what is missing, and a variable in triple braces is put in as it
 * is.
 */
export function fillText(source: string, { context, variables, form }: Texts): string {
  const filling = fillingOf(context)
  const [stretches, values]: [string[], GapValue[]] = [[''], []]
  let length = 0
  const take = (text: string) => {
    length += text.length
    filling.take(text.length)
    if (length > filledMax) throw tooLong()
  }
  const addText = (text: string) => {
    take(text)
    stretches[stretches.length - 1] += text
  }
  const addValue = (text: string, isRaw: boolean) => {
    take(text)
    values.push({ text, isRaw })
    stretches.push('')
  }
  const addPieces = (text: string) => {
    for (const { text: written, path } of piecesOf(text)) {
      const value = path === null ? undefined : lookUp(path, context)
      if (value === undefined) addText(written)
      else addValue(textOf(value), false)
    }
  }
  let start = 0
  for (const { written, name, fallback, isTriple, index } of findPlaceholders(source)) {
    const isOwn = Object.hasOwn(variables, name)
    if (!isOwn && fallback === undefined) continue
    addPieces(source.slice(start, index))
    const found = isOwn ? variables[name] : valueAt(name, context)
    // Data of an execution is escaped, also in triple braces.
    addValue(textOf(found === undefined ? fallback : found), isTriple && (isOwn || found === undefined))
    start = index + written.length
  }
  addPieces(source.slice(start))
  const filled = fillGaps(stretches, values, form)
  if (filled.length > filledMax) throw tooLong()
  return filled
}

/** The value of a name that is a path of the workflow, such as `trigger.contact.city`; undefined for any other. */
function valueAt(name: string, context: Context): unknown {
  const text = `{{${name}}}`
  return isPlaceholder(text) ? valueBehind(text, context) : undefined
}

function tooLong() {
  return invalid('template_variables', `make a text of more than ${filledMax} characters`)
}
