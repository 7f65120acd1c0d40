import { escapeHtml } from '../platform/text/escape-html.ts'
import { type FilledForm, type LinkPlace, linkPlaces, type Part, partAfter } from './link-places.ts'

/**
 * Returns a function that writes the values of the gaps of one text, in their order. A value within a link is
 * percent-encoded: after `?` or `#` as a component, before it as segments of the path. A value that starts a link stays
 * whole, and so does one of unreserved characters and valid escapes.
 */
export function valueWriter(form: FilledForm): (place: LinkPlace | null, value: string) => string {
  let part: Part = 'start'
  let isLink = false
  const write = inForm(form)
  return (place, value) => {
    if (!place) return write(value, null)
    part = place.continues ? partAfter(part, place.before) : place.part
    if (!place.continues) isLink = place.isLink
    if (part !== 'start') return write(value, isLink ? part : null)
    isLink ||= startsLink.test(value)
    part = isLink ? partAfter(part, value.slice(0, lengthMax).trimStart()) : 'path'
    return write(value, null)
  }
}

/** Links beyond this length are not followed. */
const lengthMax = 2048
const shortMax = 200

/** Writes a long value once for each part of a link, because 100,000 placeholders may name it. */
function inForm(form: FilledForm): (value: string, part: Part | null) => string {
  const written = new Map<Part | null, Map<string, string>>()
  const write = (value: string, part: Part | null) => {
    const text = part === null ? value : encodedValue(value, part)
    return form === 'html' ? escapeHtml(text) : text
  }
  return (value, part) => {
    if (value.length <= shortMax) return write(value, part)
    const known = written.get(part) ?? new Map<string, string>()
    const text = known.get(value) ?? write(value, part)
    written.set(part, known.set(value, text))
    return text
  }
}

/** `isRaw`: put in as it is. */
export type GapValue = { text: string; isRaw: boolean }

export function fillGaps(stretches: string[], values: GapValue[], form: FilledForm): string {
  const places = linkPlaces(stretches, form)
  const write = valueWriter(form)
  const shown = values.map(({ text, isRaw }, at) => {
    const written = write(places[at]!, text)
    return isRaw ? text : written
  })
  return stretches.reduce((text, stretch, at) => text + shown[at - 1]! + stretch)
}

const startsLink = /^\s*(?:[a-z][a-z\d+.-]{0,30}:\/\/|www\.|(?:mailto|tel|sms):)/i

const unreserved = /^(?:[\w.~-]|%[\da-f]{2})*$/i

function encodedValue(value: string, part: Part): string {
  if (unreserved.test(value)) return value
  const text = value.toWellFormed()
  // A port stays, and a name in another script, which is no escape in a host.
  if (part === 'host') return text.replace(/[^\p{L}\p{M}\p{N}._~:/[\]-]/gu, encodeStrictly)
  if (part === 'opaque') return text.replace(/[^\w.~@+:;,/!$&*=()-]/gu, encodeStrictly)
  return part === 'path' ? encodeStrictly(text).replaceAll('%2F', '/') : encodeStrictly(text)
}

/** Also encodes marks that may end a link in a text. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
