import type { Context } from '../nodes/node.ts'
import { fillAll, piecesOf, textOf } from '../placeholders/fill.ts'
import { lookUp } from '../placeholders/look-up.ts'

/** Fills a message to a chat. Values are escaped, and the author's own text is not. */
export type FillMessage = (message: string, context: Context) => string

type Escape = {
  /** Escapes a value that goes behind the text that is written already. */
  escape(value: string, before: string): string
  /** Returns what goes between two texts one of which is a value. */
  joint?(before: string, after: string): string
}

const slackEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** In a message to Slack, a value cannot mention people, link words, or change the words of a link that it is in. */
export const fillSlack = filler({
  escape(value, before) {
    const text = value.replace(/[&<>]/g, (character) => slackEntities[character]!)
    const isInUrl = /^<[^>|]*$/.test(before.slice(before.lastIndexOf('<')))
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
  return (message, context) => {
    // Throws before a long text is built piece by piece.
    fillAll(message, context)
    let filled = ''
    let isAfterValue = false
    for (const { text, path } of piecesOf(message)) {
      const value = path === null ? undefined : lookUp(path, context)
      const isValue = value !== undefined
      const next = isValue ? escaped(textOf(value), filled) : text
      filled += (isValue || isAfterValue ? joint(filled, next) : '') + next
      isAfterValue = isValue
    }
    return filled
  }
}
