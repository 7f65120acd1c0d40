import { escapeHtml } from '../platform/text/escape-html.ts'

/** A paragraph is a sentence or more, or a link with its label. */
export type Letter = { subject: string; paragraphs: (string | { label: string; url: string })[] }

/**
 * Writes a letter as text and as HTML, which has no images and leaves colors to the reader's program, light or dark.
 */
export function writeLetter({ subject, paragraphs }: Letter): { subject: string; text: string; html: string } {
  const texts = paragraphs.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.url}`))
  const blocks = paragraphs.map((part) => (typeof part === 'string' ? escapeHtml(part) : linkTag(part)))
  return { subject, text: `${texts.join('\n\n')}\n`, html: htmlOf(subject, blocks) }
}

function linkTag({ label, url }: { label: string; url: string }): string {
  return `<a href="${escapeHtml(url)}"><strong>${escapeHtml(label)}</strong></a>`
}

function htmlOf(subject: string, blocks: string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark }</style>
</head>
<body style="margin: 0 auto; max-width: 36em; padding: 1.5em; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere">
${blocks.map((block) => `<p>${block}</p>`).join('\n')}
</body>
</html>
`
}

/**
 * Makes one short line of a text that a stranger may have chosen, such as a team's name. Control characters and marks
 * that change the direction of text become blanks, and an address of the web is broken, so that mail programs do not
 * link it.
 */
export function quoted(text: string, lengthMax = 80): string {
  const line = text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/:\/\/|(?<=[\p{L}\p{N}])\.(?=\p{L})|@/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= lengthMax ? line : `${characters.slice(0, lengthMax - 1).join('')}…`
}

/** Formats a time for people in any zone, such as `3 February 2026, 14:05 UTC`. */
export function timeOf(at: Date): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(at).replace(' at ', ', ')} UTC`
}
