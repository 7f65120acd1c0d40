import { Tokenizer } from 'parse5'
import { enterText, foreign } from '../../../emails/tracking/html/scan-html.ts'

/** Elements that stand within a line. Every other one begins a new line, except a cell, which follows its neighbour. */
const inline = new Set('a abbr b big code em font i kbd mark s samp small span strong sub sup tt u wbr'.split(' '))
const cells = new Set(['td', 'th'])
/** Elements whose text readers do not see. */
const unseen = new Set(['style', 'script', 'title', 'noscript', 'template', 'iframe', 'noembed', 'noframes'])

/** Returns the text of a document in lines as readers see it. Takes linear time, as no tree is built. */
export function textOfHtml(html: string): string {
  const written: string[] = []
  let hidden: string | null = null
  const write = (text: string) => {
    if (hidden === null) written.push(text)
  }
  const separate = (tagName: string) => {
    if (!inline.has(tagName)) write(cells.has(tagName) ? ' ' : '\n')
  }
  const ignore = () => undefined
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      onStartTag(tag) {
        enterText(tokenizer, tag)
        separate(tag.tagName)
        if (unseen.has(tag.tagName)) hidden ??= tag.tagName
      },
      onEndTag({ tagName }) {
        if (foreign.has(tagName)) tokenizer.inForeignNode = false
        if (tagName === hidden) hidden = null
        separate(tagName)
      },
      onCharacter: ({ chars }) => write(chars.replace(/\s+/g, ' ')),
      onWhitespaceCharacter: () => write(' '),
      onEof: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onNullCharacter: ignore,
    },
  )
  tokenizer.write(html, true)
  return written
    .join('')
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .filter((line, index, lines) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim()
}
