import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../context.ts'
import { DomainError } from '../platform/errors.ts'
import { showPage } from '../platform/http/page.ts'
import { type Route, route } from '../platform/http/route.ts'
import { isKnown, takesCoding } from '../reference/prepared.ts'
import { BuildError } from './build/run.ts'
import { currentBundle, findAsset } from './current.ts'
import { findPage } from './find-page.ts'
import { assetPolicy, dashboardPage, failedPage, policy, preloadsOf } from './page.ts'
import { readTheme } from './theme.ts'

/** Files of the dashboard are no part of the API, and its own requests are counted where they arrive. */
const shared = {
  access: 'public',
  tag: 'Dashboard',
  unlimited: true,
  forgiving: true,
  response: Type.String(),
  produces: 'text/html; charset=utf-8',
} as const

export const dashboardRoutes: Route[] = [
  route('GET /', null, {
    ...shared,
    summary: 'Lead a browser to the dashboard',
    async handle({ app, request, reply }) {
      reply.header('Vary', 'Accept')
      const isBrowser = String(request.headers.accept).includes('text/html')
      if (!isBrowser || app.config.dashboard === 'off')
        throw new DomainError('notFound', 'The API is described at /docs.')
      return reply.redirect('/app', 302)
    },
  }),
  route('GET /app', null, {
    ...shared,
    summary: 'The dashboard',
    handle: ({ app, request, reply }) => sendPage(app, '', request, reply),
  }),
  route('GET /app/*', null, {
    ...shared,
    summary: 'A page of the dashboard',
    params: Type.Object({ '*': Type.String() }),
    handle: ({ app, params, request, reply }) => sendPage(app, params['*'], request, reply),
  }),
  route('GET /app/assets/:name', null, {
    ...shared,
    summary: 'A script or style of the dashboard',
    params: Type.Object({ name: Type.String() }),
    async handle({ app, params, request, reply }) {
      const { name } = params
      const asset = app.config.dashboard === 'off' ? null : await findAsset(app, name)
      if (!asset) return sendPage(app, `assets/${name}`, request, reply)
      reply
        .headers({
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Content-Security-Policy': assetPolicy,
          'X-Frame-Options': 'SAMEORIGIN',
          Vary: 'Accept-Encoding',
        })
        .type(asset.type)
      const accepted = request.headers['accept-encoding']
      if (takesCoding('br', accepted)) return reply.header('Content-Encoding', 'br').send(asset.brotli)
      if (takesCoding('gzip', accepted)) return reply.header('Content-Encoding', 'gzip').send(asset.gzipped)
      return reply.send(await asset.plain())
    },
  }),
]

/** Mailed links lead to these pages, so that the message says what takes their tokens. */
const dashboardIsOff =
  'The dashboard is off: DASHBOARD=off. The token of a link goes to POST /auth/password/reset, /auth/verify-email, /auth/me/email/confirm or /auth/invitations.'

/**
 * Sends the page of the dashboard: with 404 if it has none at the path below `/app`, which the page then says itself.
 */
async function sendPage(app: App, path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (app.config.dashboard === 'off') throw new DomainError('notFound', dashboardIsOff)
  try {
    const { manifest } = await currentBundle(app)
    const { html, etag } = dashboardPage(manifest, readTheme(request.headers.cookie))
    reply.headers({
      'Cache-Control': 'no-cache',
      Vary: 'Cookie',
      'Content-Security-Policy': policy,
      // Without a referrer, browsers send the forms of live previews with `Origin: null`, which is refused.
      'Referrer-Policy': 'same-origin',
      ETag: etag,
    })
    const page = findPage(Object.keys(manifest.pages), path)
    if (page === undefined) return reply.status(404).type(shared.produces).send(html)
    reply.header('Link', preloadsOf(manifest.pages[page] ?? []))
    if (isKnown(etag, request.headers['if-none-match'])) return reply.status(304).send()
    return reply.type(shared.produces).send(html)
  } catch (error) {
    const report = error instanceof BuildError && !app.config.production ? error.message : null
    return showPage(reply.status(503), failedPage(report))
  }
}
