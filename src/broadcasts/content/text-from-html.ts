import { type Token, Tokenizer } from 'parse5'
import { enterText, foreign } from '../../emails/tracking/html/scan-html.ts'
import { createTextWriter, type TextWriter } from './text-writer.ts'

/**
 * Makes the text part for an HTML part: links as `text (url)`, lists with their marks, blocks and rows of tables as
 * lines. Reads tokens and builds no tree, so that the time is linear in the length of any input.
 */
export function textFromHtml(html: string): string | null {
  const writer = createTextWriter()
  const reader = createReader(writer)
  const ignore = () => undefined
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(tag) {
        enterText(tokenizer, tag)
        reader.open(tag)
      },
      onEndTag(tag) {
        if (foreign.has(tag.tagName)) tokenizer.inForeignNode = false
        reader.close(tag.tagName)
      },
      onCharacter: ({ chars }) => reader.read(chars),
      onWhitespaceCharacter: ({ chars }) => reader.read(chars),
      onEof: () => reader.end(),
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
    },
  )
  tokenizer.write(html, true)
  return writer.text() || null
}

/** Elements without text for readers. */
const hidden = new Set('head title style script template iframe noembed noframes svg math object select'.split(' '))
const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre figure'.split(' '))
const lines = new Set(
  'address article aside body dd div dt fieldset footer form header li main nav section tr'.split(' '),
)
const cells = new Set(['td', 'th'])

function createReader(writer: TextWriter) {
  let hiding: { name: string; depth: number } | null = null
  let link: { href: string; from: number } | null = null
  const lists: { next: number | null }[] = []

  function endLink(): void {
    if (link && link.href !== writer.since(link.from)) writer.write(` (${link.href})`)
    link = null
  }

  function openList(tagName: string): void {
    if (lists.length === 0) writer.breakLine(2)
    lists.push({ next: tagName === 'ol' ? 1 : null })
  }

  function openItem(): void {
    const list = lists.at(-1)
    const mark = list && list.next !== null ? `${list.next++}. ` : '- '
    writer.breakLine(1)
    writer.mark('  '.repeat(Math.min(Math.max(lists.length - 1, 0), depthMax)) + mark)
  }

  return {
    open(tag: Token.TagToken): void {
      const { tagName } = tag
      if (hiding) {
        if (tagName === hiding.name && !tag.selfClosing) hiding.depth++
        else if (tagName === 'body') hiding = null
        return
      }
      if (hidden.has(tagName)) hiding = tag.selfClosing ? null : { name: tagName, depth: 1 }
      else if (tagName === 'a') {
        endLink()
        const href = readableAddress(attribute(tag, 'href'))
        if (href !== null) link = { href, from: writer.position() }
      } else if (tagName === 'ul' || tagName === 'ol') openList(tagName)
      else if (tagName === 'li') openItem()
      else if (tagName === 'br') writer.newLine()
      else if (tagName === 'hr') writer.rule()
      else if (tagName === 'img') writer.write(attribute(tag, 'alt'))
      else if (cells.has(tagName)) writer.write(' ')
      else if (paragraphs.has(tagName)) writer.breakLine(2)
      else if (lines.has(tagName)) writer.breakLine(1)
    },
    close(tagName: string): void {
      if (hiding) {
        if (tagName === hiding.name && --hiding.depth === 0) hiding = null
        return
      }
      if (tagName === 'a') endLink()
      else if (tagName === 'ul' || tagName === 'ol') {
        lists.pop()
        writer.breakLine(lists.length === 0 ? 2 : 1)
      } else if (paragraphs.has(tagName)) writer.breakLine(2)
      else if (lines.has(tagName)) writer.breakLine(1)
    },
    read(chars: string): void {
      if (!hiding) writer.write(chars)
    },
    end: endLink,
  }
}

/** Deeper lists are not indented further. */
const depthMax = 8

function attribute(tag: Token.TagToken, name: string): string {
  return tag.attrs.find((attribute) => attribute.name === name)?.value ?? ''
}

/**
 * Returns the address that a reader of text can use, without `mailto:`. Null for addresses such as places in the page.
 */
function readableAddress(href: string): string | null {
  const address = href.replaceAll(/\s+/g, '')
  if (/^mailto:/i.test(address)) return address.slice('mailto:'.length).split('?')[0] || null
  return /^(https?:|tel:|\{\{)/i.test(address) ? address : null
}
