import type { Components, Json } from './components.ts'
import type { Operation } from './operation.ts'
import { capital } from './responses.ts'

type Paths = Record<string, Record<string, Operation>>
/** A place of a part: `holder[key]`. */
type Use = { part: Json; name: string; holder: Record<string, Json>; key: string }

/** Moves parameters and successes that several operations have alike to the components, which shortens the document. */
export function shareParts(paths: Paths, components: Components): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const parameters = operations.flatMap(({ parameters: holder }) =>
    holder.map((part, key): Use => {
      const name = String(part.name).split(/[-._]/).map(capital).join('')
      return { part, name, holder: holder as unknown as Record<string, Json>, key: String(key) }
    }),
  )
  const successes = operations.flatMap(({ responses: holder }) =>
    Object.entries(holder).flatMap(([key, part]): Use[] => {
      const name = nameOfContent(part)
      return name === null ? [] : [{ part, name, holder, key }]
    }),
  )
  share(parameters, components.parameters, 'parameters')
  share(successes, components.responses, 'responses')
}

/** Gives a name that several different parts have to the part that is used most. The others stay where they are. */
function share(uses: Use[], shared: Record<string, Json>, kind: string): void {
  const alike = Map.groupBy(uses, ({ part, name }) => JSON.stringify([name, part]))
  for (const same of [...alike.values()].sort((one, other) => other.length - one.length)) {
    const { name, part } = same[0]!
    if (same.length === 1 || name in shared) continue
    shared[name] = part
    for (const { holder, key } of same) holder[key] = { $ref: `#/components/${kind}/${name}` }
  }
}

/** The name of what a success holds. Null for refusals, which are components already, and for other content. */
function nameOfContent({ content }: Json): string | null {
  const schema = (content as Record<string, { schema: Json }> | undefined)?.['application/json']?.schema
  return typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1)! : null
}
