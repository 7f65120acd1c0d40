import { urlMaxBytes } from '../../platform/egress/target.ts'
import { invalid } from '../../platform/errors.ts'
import type { Context } from '../nodes/node.ts'
import { becameInvalid } from './became.ts'
import { piecesOf, textOf } from './fill.ts'
import { lookUp } from './look-up.ts'

/** The part of a URL that a value is in. At the beginning, the value is the URL or its first part. */
type Place = 'beginning' | 'host' | 'path' | 'query'

type Span = { start: number; end: number }

/**
 * A URL with its `{{…}}` filled, each value staying in its place: in path, query and fragment it is percent-encoded, in the
 * host it may be nothing but a part of a name or port. One with nothing behind it is left as it is. Throws `invalid`, with
 * `field` as its path, for a value that would lead elsewhere and for a URL that becomes too long.
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
  return url
}

function placeAfter(url: string): Place {
  if (url === '') return 'beginning'
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*/i.exec(url)?.[0]
  if (authority === undefined || authority.length === url.length) return 'host'
  // The part after a fragment's # is encoded like the part after the question mark.
  return /[?#]/.test(url) ? 'query' : 'path'
}

function encoded(field: string, text: string, place: Place): string {
  if (place === 'beginning') return text
  if (place !== 'host') return encodeURIComponent(text)
  // Neither the end of the host (/ \ ? #) nor a user name (@), also not encoded (%).
  if (/^[\p{L}\p{M}\p{N}._:[\]-]*$/u.test(text)) return text
  const message = 'a value in the host must be letters, digits, dots, hyphens and a port, and nothing else'
  throw becameInvalid({ path: field, value: text, message })
}

/** `.` and `..` as a whole segment go up in the path, and encoding them does not help: parsers read `%2e` as a dot. */
function refuseClimbing(field: string, url: string, values: Span[]): void {
  const whole = url.replace(/[\0-\x20]+$/, '')
  const authority = /^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*/i.exec(whole)?.[0] ?? ''
  const path = /^[^?#]*/.exec(whole.slice(authority.length))![0]
  let start = authority.length
  for (const segment of path.split(/[/\\]/)) {
    const end = start + segment.length
    const isOfValues = values.some((value) => value.start >= start && value.end <= end)
    // Tabs and line breaks are left out by parsers.
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
