import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandNames, findCommand } from '../../cli/src/commands.ts'
import { nouns } from '../../cli/src/nouns.ts'
import { blocksOf } from '../documented.ts'
import { newCommandLine } from './command-line.ts'

const page = 'docs/command-line.md'
const { team, folder, runIn } = await newCommandLine()

/** The commands of the page that are run, without `posthorn`. */
const lines = blocksOf(page)
  .filter(({ info }) => info.includes('test/cli/page.test.ts'))
  .flatMap(({ text }) => text.trim().split('\n'))

/** Splits a line as a shell does. Quotes are single ones, and hold whole words. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
}

test('the commands of docs/command-line.md run in their order', async () => {
  for (const [name, text] of Object.entries({
    'people.csv': 'email\nbob@example.com\n',
    'receipt.html': '<p>Thanks</p>',
  }))
    writeFileSync(join(folder, name), text)
  for (const line of lines) {
    const [command, ...args] = replaced(wordsOf(line))
    const from = args.indexOf('<')
    const stdin = from < 0 ? '' : readFileSync(args[from + 1]!, 'utf8')
    assert.equal(command, 'posthorn')
    const { code, stderr } = await runIn({ stdin }, ...(from < 0 ? args : args.slice(0, from)))
    assert.equal(code, 0, `${line}: ${stderr}`)
  }
})

/** Puts what this test has in the place of what a reader has. */
function replaced(words: string[]): string[] {
  return words.map((word) => {
    if (word === 'ph_…') return team.key
    return /\.(csv|html)$/.test(word) ? join(folder, word) : word.replaceAll('sandbox.test', team.domain)
  })
}

test('docs/command-line.md has an example of each group of commands, and names commands that exist', () => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const single = commandNames().filter((name) => !name.includes(' '))
  const first = [...single, ...Object.keys(nouns).filter((noun) => !noun.includes(' '))]
  assert.deepEqual(
    first.filter((word) => !text.includes(`posthorn ${word}`)),
    [],
  )
  const named = [...text.matchAll(/(?:^|`)posthorn ([a-z][^`\n]*)/gm)].map(([, rest]) => rest!.split(' '))
  const unknown = named.filter((words) => findCommand(words) === null)
  assert.deepEqual(
    unknown.map((words) => words.join(' ')),
    [],
  )
})
