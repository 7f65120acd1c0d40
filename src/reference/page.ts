import Fastify from 'fastify'
import { type Prepared, prepare } from './prepared.ts'

const pageHtml = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Posthorn API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document it shows is /openapi.json.</noscript>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`

/**
 * The page has no origin of its own, so its script, which is not ours, has neither the session nor the storage of the
 * dashboard. The script adds styles to the page; everything else comes from this server.
 */
export const pagePolicy = [
  'sandbox allow-scripts allow-downloads',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * A page without an origin has no storage, and reading it throws. The script keeps its choices while the page is open.
 */
const storage = `
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  Object.defineProperty(window, name, {
    value: {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (index) => [...kept.keys()][index] ?? null,
      get length() { return kept.size },
    },
  })
}
`

/**
 * No outside fonts, proxy, telemetry, registry or assistant: the page works without a network and reports to no one.
 */
const start = `
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  servers: [{ url: window.location.origin }],
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
`

/** The documents belong to a release; those of a newer one are seen within the hour. */
const maxAgeSeconds = 3600

/** Made at the first request, since most processes never show the page. */
export const preparePage = once(() => prepare(pageHtml, 'text/html; charset=utf-8', maxAgeSeconds))

/** Scalar's browser bundle, and the line that starts it. */
export const prepareScript = once(async () =>
  prepare(await readScript(), 'text/javascript; charset=utf-8', maxAgeSeconds),
)

function once(make: () => Promise<Prepared>): () => Promise<Prepared> {
  let made: Promise<Prepared> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}

/**
 * Only the plug-in's server gives out the bundle, so it is requested once from a server that accepts no other
 * connections.
 */
async function readScript(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const answer = await server.inject('/docs/js/scalar.js')
  await server.close()
  if (answer.statusCode !== 200) throw new Error('The script of the reference page is not in its package')
  return storage + answer.body + start
}
