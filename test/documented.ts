import { readFileSync } from 'node:fs'

/** The documents whose blocks of commands a test runs, each as one script on a new installation. */
export const runDocuments = [
  'README.md',
  'docs/workflows.md',
  'docs/text-messages.md',
  'docs/teams.md',
  'docs/webhooks.md',
  'docs/feed.md',
]

/**
 * A fenced block. Its first line is such as `sh`, or `sh not run: it starts the server`, which says why no test runs
 * it.
 */
export type Block = { info: string; text: string }

export function blocksOf(document: string): Block[] {
  const source = readFileSync(new URL(`../${document}`, import.meta.url), 'utf8')
  return [...source.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info, text]) => ({ info: info!, text: text! }))
}

/** Returns the commands of a document in their order. */
export function scriptOf(document: string): string {
  const blocks = blocksOf(document).filter(({ info }) => info === 'sh')
  return blocks.map(({ text }) => text).join('\n')
}
