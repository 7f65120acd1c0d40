import { escapeHtml } from '../../platform/text/escape-html.ts'
import { includes } from '../conditions/includes.ts'
import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'
import { becameInvalid } from './became.ts'
import { becomesJson, fillAll, fillJson, fillWith, isPlaceholder, textOf, valueBehind } from './fill.ts'

/**
 * Fills the body of a request so that a value cannot change what is around it: in JSON, in forms, in XML and between
 * the parts of a multipart body. One that is a single placeholder becomes its text as it is.
 */
export function fillBody(body: string, contentType: string, context: Context): string {
  const found = isPlaceholder(body) ? valueBehind(body, context) : undefined
  if (typeof found === 'string') {
    fillingOf(context).take(found.length)
    return found
  }
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded')
    return fillWith((value) => encodeURIComponent(textOf(value).toWellFormed()), context)(body)
  if (/^(application|text)\/xml$|\+xml$/.test(type)) return fillXml(body, context)
  if (type.startsWith('multipart/')) return fillParts(body, contentType, context)
  return isJsonType(type) || becomesJson(body) ? fillJson(body, context) : fillAll(body, context)
}

function isJsonType(type: string): boolean {
  return /^application\/json$|\+json$|^application\/(x-)?(ndjson|jsonl)$|^application\/json-seq$/.test(type)
}

/** Escapes values. In a CDATA section nothing is escaped, and a value cannot end it. */
function fillXml(body: string, context: Context): string {
  const inside = fillWith((value) => textOf(value).replaceAll(']]>', ']]]]><![CDATA[>'), context)
  const outside = fillWith((value) => escapeHtml(textOf(value)), context)
  return body
    .split(/(<!\[CDATA\[[\s\S]*?(?:\]\]>|$))/)
    .map((part) => (part.startsWith('<![CDATA[') ? inside(part) : outside(part)))
    .join('')
}

/** Refuses a value that holds the line between the parts. */
function fillParts(body: string, contentType: string, context: Context): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  const put = (value: unknown) => {
    const text = textOf(value)
    if (boundary === '' || !includes(text, `--${boundary}`)) return text
    throw becameInvalid({ path: 'body', value: text, message: 'must not hold the boundary of its parts in a value' })
  }
  return fillWith(put, context)(body)
}
