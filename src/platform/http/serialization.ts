import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Serializer = (answer: unknown) => string

const compile = SerializerSelector()({}, {})

/** By schema: every app of a process answers with the same ones. */
const compiled = new WeakMap<object, Serializer>()

/**
 * Compiles the serializer of a route's answers at their first use: compiling those of all routes takes a tenth of a second,
 * which a start need not wait for.
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
