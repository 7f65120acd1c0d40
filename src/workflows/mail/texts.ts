import { invalid } from '../../platform/errors.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { placeholder, type TemplateVariables } from '../../templates/render.ts'
import type { Context } from '../nodes/node.ts'
import { fillAll, fillHtml } from '../placeholders/fill.ts'

const filledMax = 1024 * 1024

/**
 * Fills the variables of a template and the placeholders of the workflow at once, so that no value is expanded again: the text is
 * split at the variables, and the parts between them are filled.
 */
export function fillText(
  source: string,
  { context, variables, html }: { context: Context; variables: TemplateVariables; html: boolean },
): string {
  const fill = html ? fillHtml : fillAll<string>
  let filled = ''
  let start = 0
  for (const { 0: written, 1: name = '', index } of source.matchAll(placeholder)) {
    if (!Object.hasOwn(variables, name)) continue
    const value = String(variables[name] ?? '')
    filled += fill(source.slice(start, index), context) + (html ? escapeHtml(value) : value)
    if (filled.length > filledMax) throw tooLong()
    start = index + written.length
  }
  filled += fill(source.slice(start), context)
  if (filled.length > filledMax) throw tooLong()
  return filled
}

function tooLong() {
  return invalid('template_variables', `make a text of more than ${filledMax} characters`)
}
