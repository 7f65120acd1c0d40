import type { Route } from '../../src/platform/http/route.ts'
import { commandOf } from './names.ts'
import { head, isPaged, made, programRoutes } from './sdk.ts'
import type { Schema } from './type-text.ts'

type Described = Schema & { description?: string }

/** Returns cli/src/operations.ts: what the command line knows of each operation. */
export function cliFile(routes: readonly Route[]): string {
  const rows = programRoutes(routes).map((route) => `  ${route.operationId}: ${rowOf(route)},`)
  return `${head}import type { Operation } from './operation.ts'\n\nexport const operations = {\n${rows.join('\n')}\n} satisfies Record<string, Operation>\n\nexport type OperationId = keyof typeof operations\n`
}

/** Returns cli/src/drawn.ts: the commands that are drawn from the routes, by name, with the operation of each. */
export function commandsFile(routes: readonly Route[]): string {
  const rows = programRoutes(routes).flatMap((route) => {
    const command = commandOf(route)
    return command === null ? [] : [`  '${command}': '${route.operationId}',\n`]
  })
  return `${made}import type { OperationId } from './operations.ts'\n\nexport const drawn: Readonly<Record<string, OperationId>> = {\n${rows.join('')}}\n`
}

function rowOf(route: Route): string {
  const { method, path, summary, body, receives, query, idempotent, produces, response } = route
  const taken = (body ?? receives?.schema ?? query) as Schema | undefined
  const fields = Object.entries(taken?.properties ?? {}).filter(([name]) => body || name !== 'mode')
  const takes = body || receives ? 'body' : fields.length > 0 ? 'query' : null
  const parts = [`method: '${method}'`, `path: '${path}'`, `summary: ${text(summary)}`]
  if (takes) parts.push(`takes: '${takes}'`)
  if (idempotent) parts.push('key: true')
  if (isPaged(response as Schema)) parts.push('paged: true')
  if (produces) parts.push(`reads: '${produces.startsWith('text/') ? 'text' : 'bytes'}'`)
  const lines = fields.map(([name, schema]) => {
    const isRequired = (taken!.required ?? []).includes(name)
    return `      ${name}: ${fieldText(schema as Described, isRequired)},\n`
  })
  return `{ ${parts.join(', ')}, fields: {${lines.length > 0 ? `\n${lines.join('')}    ` : ''}} }`
}

function fieldText(schema: Described, isRequired: boolean): string {
  const parts = [`kind: '${kindOf(schema)}'`]
  if (isRequired) parts.push('required: true')
  if (isNullable(schema)) parts.push('nullable: true')
  if (isId(schema)) parts.push('id: true')
  const values = valuesOf(schema)
  if (values) parts.push(`values: [${values.map(text).join(', ')}]`)
  if (schema.description) parts.push(`about: ${text(schema.description)}`)
  return `{ ${parts.join(', ')} }`
}

function kindOf(schema: Schema): string {
  const [shape = {}] = alternatives(schema)
  const [type] = typesOf(shape)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array') return typesOf(shape.items ?? {})[0] === 'string' || shape.items?.enum ? 'list' : 'json'
  return type === 'string' || shape.enum || shape.const !== undefined ? 'text' : 'json'
}

function alternatives(schema: Schema): Schema[] {
  return schema.anyOf ? schema.anyOf.filter(({ type }) => type !== 'null') : [schema]
}

function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat().filter((name) => name !== 'null')
}

function isNullable(schema: Schema): boolean {
  const shapes = schema.anyOf ?? [schema]
  return shapes.some(({ type }) => [type ?? []].flat().includes('null'))
}

function isId(schema: Schema): boolean {
  return alternatives(schema).some(({ format, items }) => format === 'uuid' || items?.format === 'uuid')
}

function valuesOf(schema: Schema): string[] | null {
  const [shape = {}] = alternatives(schema)
  const values = shape.enum ?? shape.items?.enum ?? (shape.const === undefined ? null : [shape.const])
  return values?.filter((value) => value !== null).map(String) ?? null
}

/** Prints a text as the formatter would. */
function text(value: string): string {
  return value.includes("'") ? JSON.stringify(value) : `'${value.replaceAll('\\', '\\\\').replaceAll('\n', ' ')}'`
}
