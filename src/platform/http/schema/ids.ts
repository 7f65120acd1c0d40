import type { Ajv2020 } from 'ajv/dist/2020.js'
import { isUuid } from '../../ids.ts'

const keyword = 'idInLowerCase'
type Place = { parentData: Record<string, unknown>; parentDataProperty: string | number }

/**
 * Adds the format `uuid`, and a keyword that writes an id in lower case, so that handlers compare ids as texts. It is
 * stricter than the usual format, which accepts `urn:uuid:…`; PostgreSQL does not.
 */
export function addIds(ajv: Ajv2020): void {
  ajv.addFormat('uuid', { type: 'string', validate: isUuid })
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'boolean',
    modifying: true,
    errors: false,
    validate: (_: true, text: string, __: unknown, place?: Place) => {
      if (place?.parentData && isUuid(text)) place.parentData[place.parentDataProperty] = text.toLowerCase()
      return true
    },
  })
}

/** Returns a schema whose ids are written in lower case when a value is checked. */
export function withIdsInLowerCase<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(withIdsInLowerCase) as Schema
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, member]) => [name, withIdsInLowerCase(member)])
  const isId = (schema as { format?: unknown }).format === 'uuid'
  return { ...Object.fromEntries(members), ...(isId && { [keyword]: true }) }
}
