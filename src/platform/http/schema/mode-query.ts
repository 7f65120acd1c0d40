import Type, { type TObject, type TSchema } from 'typebox'
import { Strict, TextEnum } from './schema.ts'

const Mode = Type.Optional({
  ...TextEnum('live', 'test'),
  description:
    'For signed-in users: the mode whose resources are meant, `live` if left out. An API key has its own; the other one is 400.',
})

/** Adds the field `mode` to the query of a route. */
export function withMode(query: TSchema | undefined): TSchema {
  const object = (query ?? Strict({})) as TObject
  return { ...object, properties: { ...object.properties, mode: Mode } }
}
