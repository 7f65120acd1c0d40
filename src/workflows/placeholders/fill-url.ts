import { urlMaxBytes } from '../../platform/egress/target.ts'
import { invalid } from '../../platform/errors.ts'
import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'
import { becameInvalid } from './became.ts'
import { piecesOf, textOf } from './fill.ts'
import { lookUp } from './look-up.ts'

/** The part of a URL that has a value. At the beginning, the value is the whole URL or its first part. */
type Place = 'beginning' | 'host' | 'path' | 'query'

type Span = { start: number; end: number }

/**
 * Fills the `{{…}}` of a URL. Values are percent-encoded in path, query and fragment; in the host, a value can only be
 * a part of a name or a port. A placeholder without a value stays. Throws `invalid`, with `field` as its path, for a
 * value that would lead elsewhere and for a URL that becomes too long.
 */
export function fillUrl(field: string, template: string, context: Context): string {
  let url = ''
  const values: Span[] = []
  for (const piece of piecesOf(template)) {
    const value = piece.path === null ? undefined : lookUp(piece.path, context)
    const text = value === undefined ? piece.text : textOf(value).toWellFormed()
    if (url.length + text.length > urlMaxBytes) throw tooLong(field)
    if (value === undefined) {
      url += text
      continue
    }
    const place = placeAfter(url)
    const put = encoded(field, text, place)
    if (place !== 'beginning') values.push({ start: url.length, end: url.length + put.length })
    url += put
  }
  refuseClimbing(field, url, values)
  fillingOf(context).take(url.length)
  return url
}

function placeAfter(url: string): Place {
  if (url === '') return 'beginning'
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*/i.exec(url)?.[0]
  if (authority === undefined || authority.length === url.length) return 'host'
  // The fragment is encoded like the query.
  return /[?#]/.test(url) ? 'query' : 'path'
}

function encoded(field: string, text: string, place: Place): string {
  if (place === 'beginning') return text
  if (place !== 'host') return encodeURIComponent(text)
  // Refuses the end of the host (/ \ ? #), a user name (@), and their encoded forms (%).
  if (/^[\p{L}\p{M}\p{N}._:[\]-]*$/u.test(text)) return text
  const message = 'a value in the host must be letters, digits, dots, hyphens and a port, and nothing else'
  throw becameInvalid({ path: field, value: text, message })
}

/**
 * Refuses segments that become `.` or `..` and go up in the path. Encoding does not help, since parsers read `%2e` as a
 * dot.
 */
function refuseClimbing(field: string, url: string, values: Span[]): void {
  const whole = url.replace(/[\0-\x20]+$/, '')
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*/i.exec(whole)?.[0] ?? ''
  const path = /^[^?#]*/.exec(whole.slice(authority.length))![0]
  let start = authority.length
  for (const segment of path.split(/[/\\]/)) {
    const end = start + segment.length
    const isOfValues = values.some((value) => value.start >= start && value.end <= end)
    // Parsers ignore tabs and line breaks.
    const read = segment.replace(/[\t\r\n]/g, '').replace(/%2e/gi, '.')
    if (isOfValues && (read === '.' || read === '..')) {
      throw invalid(
        field,
        `a segment of the path became ${JSON.stringify(read)}, which leads elsewhere. Give another value.`,
      )
    }
    start = end + 1
  }
}

function tooLong(field: string) {
  return invalid(field, `must be at most ${urlMaxBytes} bytes long with its placeholders filled`)
}
