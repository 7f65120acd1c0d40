import { globSync, readFileSync, writeFileSync } from 'node:fs'

/** The most columns of a line of a comment, as of a line of code. */
export const columnsMax = 120

const commented = ['{src,cli/src,sdk/src,dashboard/src,test,bench,scripts}/**/*.{ts,tsx,css}', '.ci/*']

/** Finds the files whose comments are wrapped. The benchmarks install packages of their own below them. */
export function commentedFiles(cwd: string): string[] {
  return globSync(commented, { cwd, exclude: ['**/node_modules/**'] })
}

/** Returns a source in which comments on lines of their own are at most `columnsMax` wide. */
export function wrapComments(source: string): string {
  const lines = source.split('\n').flatMap(divideOpening)
  const wrapped: string[] = []
  let isInBlock = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (/^\s*\/\*/.test(line) && !line.includes('*/')) isInBlock = true
    const [, prefix, text] = (isInBlock ? /^(\s*\* )(\S.*)$/ : /^(\s*(?:\/\/|#) )(\S.*)$/).exec(line) ?? []
    if (isLong(line) && prefix && text && !isKept(text)) {
      // Words that are too many begin the next line, which goes on with the rest of the paragraph.
      const words = [text]
      while (isContinued(lines[at + 1] ?? '', prefix)) words.push(lines[++at]!.slice(prefix.length))
      wrapped.push(...fill(prefix, words.join(' ')))
    } else wrapped.push(line)
    if (lines[at]!.includes('*/')) isInBlock = false
  }
  return wrapped.join('\n')
}

/** Puts the marks of a comment on lines of their own if its first line is too long. */
function divideOpening(line: string): string[] {
  const [, indent, mark, text = '', end] = /^(\s*)(\/\*\*?) ((?:(?!\*\/).)+?)( \*\/)?$/.exec(line) ?? []
  if (!isLong(line) || !mark || isKept(text)) return [line]
  return [`${indent}${mark}`, `${indent} * ${text}`, ...(end ? [`${indent} */`] : [])]
}

function isLong(line: string): boolean {
  return line.length > columnsMax
}

/** A directive, an address and the row of a table cannot be divided. */
function isKept(text: string): boolean {
  return /^(biome-ignore|@ts-|eslint|https?:|\|)/.test(text)
}

/** A list item, a tag and a table begin a paragraph of their own, as an empty line does. */
function isContinued(line: string, prefix: string): boolean {
  return line.startsWith(prefix) && /^[^\s\-@|*/]/.test(line.slice(prefix.length))
}

function fill(prefix: string, text: string): string[] {
  const lines: string[] = []
  let line = prefix
  for (const word of text.split(' ')) {
    if (line !== prefix && line.length + word.length > columnsMax) {
      lines.push(line.trimEnd())
      line = prefix
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}

if (import.meta.main) {
  for (const path of commentedFiles('.')) {
    const source = readFileSync(path, 'utf8')
    const wrapped = wrapComments(source)
    if (wrapped !== source) writeFileSync(path, wrapped)
  }
}
