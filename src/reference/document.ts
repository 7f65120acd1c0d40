import type { FastifyRequest } from 'fastify'
import type { App } from '../context.ts'
import type { Route } from '../platform/http/route.ts'
import { describe } from './openapi.ts'
import { downgrade } from './openapi-3.0.ts'
import { type Prepared, prepare } from './prepared.ts'

export type OpenapiVersion = '3.1' | '3.0'

const documents = new WeakMap<readonly Route[], Map<string, Promise<Prepared>>>()
/** Each way to reach the server has its document. Callers choose the ways, so few are kept. */
const documentsMax = 20
/** The document changes with the release and with `PUBLIC_URL`. */
const maxAgeSeconds = 300

/** Returns the OpenAPI document of the server that a request came to, ready to be sent. */
export function documentFor(app: App, request: FastifyRequest, openapi: OpenapiVersion): Promise<Prepared> {
  const routes = request.server.routeTable
  // Without a configured URL the document describes the server as this caller reaches it.
  const baseUrl = app.config.publicUrl ?? `${request.protocol}://${request.host}`
  const key = `${openapi} ${baseUrl}`
  const made = documents.get(routes) ?? new Map<string, Promise<Prepared>>()
  documents.set(routes, made)
  const document = made.get(key) ?? prepareDocument(routes, baseUrl, openapi)
  if (made.size >= documentsMax) made.clear()
  made.set(key, document)
  return document
}

function prepareDocument(routes: readonly Route[], baseUrl: string, openapi: OpenapiVersion): Promise<Prepared> {
  const document = describe(routes, baseUrl)
  const written = JSON.stringify(openapi === '3.0' ? downgrade(document) : document)
  return prepare(written, 'application/json; charset=utf-8', maxAgeSeconds)
}
