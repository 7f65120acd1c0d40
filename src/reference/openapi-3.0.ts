import { type Json, withParts } from './components.ts'

/** The older form has no identifiers of licenses. */
const licenseUrl = 'https://spdx.org/licenses/MIT.html'

/** Converts an OpenAPI 3.1 document to 3.0.3, for tools that read no newer one. */
export function downgrade(document: Json): Json {
  const { webhooks, info, components, paths, ...rest } = document as Json & { info: Json; components: Json }
  const { identifier, ...license } = info.license as Json
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...info, license: { ...license, url: licenseUrl } },
    paths: convert(paths),
    // 3.0 has no webhooks. This extension is the one that tools know.
    'x-webhooks': convert(webhooks),
    components: convert(components),
  }
}

/** Converts each schema within a part of a document. */
function convert(part: unknown, key = ''): unknown {
  if (key === 'example' || key === 'examples' || typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((inner) => convert(inner))
  const entries = Object.entries(part).map(([name, inner]) => {
    if (name === 'schema') return [name, convertSchema(inner as object)]
    if (name === 'schemas') return [name, mapSchemas(inner as Record<string, object>)]
    return [name, convert(inner, name)]
  })
  return Object.fromEntries(entries)
}

function mapSchemas(schemas: Record<string, object>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, convertSchema(schema)]))
}

/**
 * Converts a schema: 3.0 knows neither lists of types, `const`, `examples` nor schemas of texts, and nothing stands
 * beside a reference.
 */
function convertSchema(schema: object): Json {
  const { examples, const: only, type, $ref, contentMediaType: _, contentSchema, ...rest } = schema as Json
  if ($ref) return { $ref }
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]) as string[]
  const named = types.filter((each) => each !== 'null')
  const { anyOf, ...inner } = withParts(rest, convertSchema) as Json & { anyOf?: Json[] }
  return {
    ...inner,
    // An extension, which names the schema of a text that is JSON.
    ...(contentSchema !== undefined && { 'x-content-schema': contentSchema }),
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && examples.length > 0 && { example: examples[0] }),
    ...oneOf(anyOf ?? named.map((each) => ({ type: each })), types.includes('null')),
  }
}

/** Writes that a value is of one of several kinds. A kind of its own for null is said as `nullable` of the others. */
function oneOf(kinds: Json[], mayBeNull: boolean): Json {
  const others = kinds.filter((kind) => Object.keys(kind).length > 0)
  const nullable = mayBeNull || others.length < kinds.length ? { nullable: true } : {}
  const shown = others.map((kind) => (kind.$ref ? { allOf: [kind], ...nullable } : { ...kind, ...nullable }))
  return shown.length > 1 ? { anyOf: shown } : (shown[0] ?? {})
}
