/** Control characters, and those that turn the direction of text: a terminal would obey them. */
const hidden = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Returns a text of others as a terminal may show it: on one line, with control characters as `\u001b`. */
export function visible(text: string): string {
  return text.replaceAll(hidden, (character) => escaped[character] ?? asCode(character))
}

/** Returns a text of others that keeps its lines and tabs. */
export function visibleLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n')
}

/** Returns a value as JSON without control characters, which JSON leaves as they are above U+007E. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(/[\u007f-\u009f\u2028-\u202e]/g, asCode)
}

const escaped: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function asCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
