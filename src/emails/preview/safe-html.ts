import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { enterText, foreign } from '../tracking/html/scan-html.ts'
import { droppedTexts, shownAttributes, shownElements, voidElements } from './allowed.ts'
import { type SafeAddresses, safeAttribute } from './safe-attribute.ts'
import { safeCss } from './safe-css.ts'

/** Mail programs show a fifth of it. Reading this much takes some tens of milliseconds. */
export const shownMax = 500_000
/** Our own limit: further elements are left out and their text is kept, because browsers slow down on them. */
const elementsMax = 50_000

/**
 * Makes a document of hostile HTML that holds no scripts, forms, frames, drawings, `base`, `link` or `meta`, and no
 * addresses but links and images. Everything is written anew from the tokens of the document, so that a browser cannot
 * read it in another way. Building a tree would take quadratic time.
 */
export function safeHtml(html: string, addresses: SafeAddresses): string {
  const written = [head]
  let elements = 0
  let sheet: string | null = null
  let media = ''
  let dropped: string | null = null
  const write = (text: string) => {
    if (sheet !== null) sheet += text
    else if (dropped === null) written.push(escapeText(text))
  }
  const endSheet = () => {
    if (sheet !== null) written.push(`<style${media}>`, safeCss(sheet, addresses), '</style>')
    sheet = null
  }
  const ignore = () => undefined
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      onStartTag(tag) {
        enterText(tokenizer, tag)
        if (sheet !== null || dropped !== null) return
        // Written as it is, such an element is never closed, and its text would be the rest of the document.
        const holdsText = tokenizer.state !== TokenizerMode.DATA
        if (tag.tagName === 'style') {
          sheet = holdsText ? '' : null
          media = mediaOf(tag)
        } else if (droppedTexts.has(tag.tagName)) dropped = holdsText ? tag.tagName : null
        else if (shownElements.has(tag.tagName) && ++elements <= elementsMax) written.push(startTag(tag, addresses))
      },
      onEndTag({ tagName }) {
        if (foreign.has(tagName)) tokenizer.inForeignNode = false
        if (tagName === 'style') endSheet()
        else if (tagName === dropped) dropped = null
        else if (shownElements.has(tagName) && !voidElements.has(tagName) && elements <= elementsMax)
          written.push(`</${tagName}>`)
      },
      onCharacter: ({ chars }) => write(chars),
      onWhitespaceCharacter: ({ chars }) => write(chars),
      onEof: endSheet,
      onComment: ignore,
      onDoctype: ignore,
      onNullCharacter: ignore,
    },
  )
  tokenizer.write(html.slice(0, shownMax), true)
  if (html.length > shownMax) written.push('<hr><p>The rest of this message is too long to be shown.</p>')
  return written.join('')
}

const head = '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'

/**
 * Writes a tag with the attributes that may stay. Links open in a tab of their own, which knows nothing of this one.
 */
function startTag({ tagName, attrs }: Token.TagToken, addresses: SafeAddresses): string {
  const kept = attrs.flatMap(({ name, value }) => {
    if (!shownAttributes.has(name) && !name.startsWith('aria-')) return []
    const safe = safeAttribute(tagName, name, value, addresses)
    return safe === null ? [] : [{ name, value: safe }]
  })
  const leads =
    (tagName === 'a' || tagName === 'area') && kept.some(({ name, value }) => name === 'href' && value[0] !== '#')
  const opens = leads ? ' target="_blank" rel="noopener noreferrer"' : ''
  return `<${tagName}${kept.map(({ name, value }) => ` ${name}="${escapeValue(value)}"`).join('')}${opens}>`
}

function mediaOf({ attrs }: Token.TagToken): string {
  const media = attrs.find(({ name }) => name === 'media')
  return media ? ` media="${escapeValue(media.value)}"` : ''
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeValue(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}
