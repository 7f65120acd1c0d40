import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Serializer = (answer: unknown) => string

const compile = SerializerSelector()({}, {})

/** Serializers by schema, shared by all apps of a process. */
const compiled = new WeakMap<object, Serializer>()

/**
 * Compiles the serializer of a route's answers at its first use: compiling all serializers would delay the start by a
 * tenth of a second.
 */
export function compileSerializer(route: {
  schema: unknown
  method: string
  url: string
  httpStatus?: string
}): Serializer {
  const { schema, method, url, httpStatus = '' } = route
  return (answer) => {
    const known = compiled.get(schema as object) ?? compile({ schema, method, url, httpStatus })
    compiled.set(schema as object, known)
    return known(answer)
  }
}
