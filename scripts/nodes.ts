import { readFileSync, writeFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import type { NodeType } from '../src/workflows/nodes/node.ts'
import { nodeTypes } from '../src/workflows/nodes/registry.ts'

const page = new URL('../docs/workflows.md', import.meta.url)

/** The text of docs/workflows.md, with its two tables made from the declarations in src/workflows/nodes/. */
export function workflowsPage(): string {
  const text = readFileSync(page, 'utf8')
  return withTable(withTable(text, 'triggers', triggers()), 'actions', actions())
}

function withTable(text: string, name: string, table: string): string {
  const begin = `<!-- The ${name}, made by "npm run generate" from the declarations in src/workflows/nodes/. -->\n\n`
  const end = `\n\n<!-- The end of the ${name}. -->`
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/workflows.md has no place for the ${name}.`)
  return text.slice(0, from + begin.length) + table + text.slice(to)
}

function triggers(): string {
  const rows = ofKind('trigger').map(({ type, config, output }) => [
    `[\`${type}\`](#${type})`,
    shapeOf(config),
    shapeOf(output),
  ])
  return tableOf(['type', 'config', '`trigger`'], rows)
}

function actions(): string {
  const rows = ofKind('action').map(({ type, description, config, output }) => [
    `\`${type}\``,
    description,
    shapeOf(config),
    shapeOf(output),
  ])
  return tableOf(['type', 'does', 'config', 'output'], rows)
}

function ofKind(kind: NodeType['kind']): NodeType[] {
  return nodeTypes.filter((node) => node.kind === kind)
}

/** Writes the members of an object as `{always, seldom?}`, and other values in the words of their description. */
function shapeOf(schema: TSchema & { description?: string; properties?: object; required?: string[] }): string {
  const { properties, required = [], description = '' } = schema
  if (!properties) return description
  return `\`{${Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ')}}\``
}

function tableOf(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

if (import.meta.main) writeFileSync(page, workflowsPage())
