import { globSync } from 'node:fs'
import type { Route } from '../../src/platform/http/route.ts'
import { type Schema, typeText } from './type-text.ts'

const head =
  '// Made by "npm run generate" from the routes. Do not edit.\n// biome-ignore-all format: the generator writes one line a type, so that a diff shows each change once\n'
const methods = { GET: 'Gets', POST: 'Posts', PATCH: 'Patches', DELETE: 'Deletes' }

/**
 * Returns the files of dashboard/src/api/ that hold the types of the API: a table of paths by method, and the shapes
 * that it names.
 */
export async function endpointFiles(routes: readonly Route[]): Promise<{ endpoints: string; shapes: string }> {
  const names = await nameShapes()
  const used = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const named = names.get(text)
    if (named && !used.has(named.name)) {
      used.set(named.name, '')
      used.set(named.name, typeText(named.schema, { nameOf }))
    }
    return named?.name
  }
  const print = (schema: unknown) => nameOf(typeText(schema as Schema)) ?? typeText(schema as Schema, { nameOf })
  const called = routes.filter(({ path, operationId }) => operationId && /^\/(v1|auth|providers\/capture)\//.test(path))
  const tables = Object.entries(methods).map(([method, table]) => {
    const rows = called.filter((route) => route.method === method).map((route) => rowOf(route, print))
    return `export type ${table} = {\n${rows.join('\n')}\n}`
  })
  const shapes = [...used].sort(([one], [other]) => one.localeCompare(other, 'en'))
  const imported = shapes
    .map(([name]) => name)
    .filter((name) => tables.some((table) => new RegExp(`\\b${name}\\b`).test(table)))
  return {
    endpoints: `${head}import type { ${imported.join(', ')} } from './shapes.ts'\n\n${tables.join('\n\n')}\n`,
    shapes: `${head}\n${shapes.map(([name, text]) => `export type ${name} = ${text}`).join('\n')}\n`,
  }
}

/** The parameters of path and query are one object, as their names differ. */
function rowOf(
  { path, params, query, body, bodyOptional, receives, response }: Route,
  print: (schema: unknown) => string,
) {
  const named = [params, query].filter((schema) => schema !== undefined && schema !== null)
  const input = named.map(print).join(' & ') || 'unknown'
  const parts = [`input: ${input}`, `answer: ${print(response)}`]
  if (body) parts.push(`body${bodyOptional ? '?' : ''}: ${print(body)}`)
  else if (receives) parts.push('body: unknown')
  return `  '${path}': { ${parts.join('; ')} }`
}

type Shape = { name: string; schema: Schema }

/** Returns the objects that the schemas of src/ export, by the text of their type. */
async function nameShapes(): Promise<Map<string, Shape>> {
  const root = new URL('../../', import.meta.url)
  const shapes = new Map<string, Shape>()
  const taken = new Set<string>()
  for (const file of globSync('src/**/schema.ts', { cwd: root }).sort()) {
    const exported: Record<string, unknown> = await import(new URL(file, root).href)
    for (const [name, schema] of Object.entries(exported).sort()) {
      if (typeof schema !== 'object' || schema === null || !('properties' in schema)) continue
      const text = typeText(schema as Schema)
      if (shapes.has(text) || text.length < 40) continue
      const full = taken.has(name) ? `${firstFolder(file)}${name}` : name
      if (taken.has(full)) throw new Error(`${file}: another schema is called ${name} too`)
      taken.add(full)
      shapes.set(text, { name: full, schema: schema as Schema })
    }
  }
  return shapes
}

/** `src/whatsapp/senders/schema.ts` is `Whatsapp`. */
function firstFolder(file: string): string {
  const [, folder = ''] = file.split('/')
  return folder.charAt(0).toUpperCase() + folder.slice(1)
}
