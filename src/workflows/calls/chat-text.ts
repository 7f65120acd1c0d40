import { invalid } from '../../platform/errors.ts'
import { fillingOf } from '../context/filling.ts'
import type { Context } from '../nodes/node.ts'
import { piecesOf, textOf } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'

/**
 * Fills a message to a chat. Values are escaped, and the author's own text is not. Throws `invalid` for one that
 * becomes longer than twice `lengthMax` in UTF-16 units, which has more than `lengthMax` characters.
 */
export type FillMessage = (message: string, context: Context, lengthMax: number) => string

type Escape = {
  /** Escapes a value. `isInUrl`: it is in a link of the author that has begun with `<`, before its words. */
  escape(value: string, isInUrl: boolean): string
  /** Returns what goes between two texts one of which is a value. */
  joint?(before: string, after: string): string
}

const slackEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** In a message to Slack, a value cannot mention people, link words, or change the words of a link that it is in. */
export const fillSlack = filler({
  escape(value, isInUrl) {
    const text = value.replace(/[&<>]/g, (character) => slackEntities[character]!)
    return isInUrl ? text.replaceAll('|', '%7C') : text
  },
})

/** Invisible, and neither a blank nor a bracket. */
const zeroWidthSpace = '\u200b'

/**
 * In a message to Discord, a value cannot take part in a link that hides its URL behind words: `[my
 * bank](https://evil.test)`.
 */
export const fillDiscord = filler({
  escape: (value) => value.replaceAll('](', `]${zeroWidthSpace}(`),
  joint: (before, after) => (before.endsWith(']') && after.startsWith('(') ? zeroWidthSpace : ''),
})

function filler({ escape: escaped, joint = () => '' }: Escape): FillMessage {
  return (message, context, lengthMax) => {
    const filling = fillingOf(context)
    const written: string[] = []
    let length = 0
    let [isInUrl, isAfterValue] = [false, false]
    for (const { text, path } of piecesOf(message)) {
      const value = path === null ? undefined : lookUp(path, context)
      const isValue = value !== undefined
      const next = isValue ? escaped(textOf(value), isInUrl) : text
      const put = (isValue || isAfterValue ? joint(written.at(-1) ?? '', next) : '') + next
      length += put.length
      filling.take(put.length)
      if (length > 2 * lengthMax) throw messageTooLong(lengthMax, `over ${2 * lengthMax}`)
      // An empty value does not part its neighbours.
      if (put !== '') written.push(put)
      isInUrl = isInUrlAfter(put, isInUrl)
      isAfterValue = isValue
    }
    return written.join('')
  }
}

/** Tells whether the text goes on within the URL of a link, by what is written since the last `<`. */
function isInUrlAfter(text: string, before: boolean): boolean {
  const start = text.lastIndexOf('<')
  return (before || start !== -1) && !/[>|]/.test(text.slice(start + 1))
}

export function messageTooLong(lengthMax: number, length: number | string) {
  return invalid('message', `must be at most ${lengthMax} characters; it became ${length}`)
}
