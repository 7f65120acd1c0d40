import { hash } from 'node:crypto'
import { type HtmlPage, page } from '../platform/http/page.ts'
import { escapeHtml } from '../platform/text/escape-html.ts'
import type { Manifest } from './build/manifest.ts'
import type { Theme } from './theme.ts'

/** Allows nothing but the files of this server: neither scripts and styles inside the page, nor HTML made from text. */
export const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * The policy of the files. It is the worker's, which may load nothing, and that of the frame that starts it. The frame
 * has no Trusted Types, which would forbid it the worker; it holds one script of ours and shows nothing.
 */
export const assetPolicy =
  "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Returns the page of the dashboard in a theme, the same for every path, and its entity tag. */
export function dashboardPage(
  { entry, first, style, icon }: Manifest,
  theme: Theme | null,
): { html: string; etag: string } {
  const preloads = [entry, ...first].map((name) => `\n    <link rel="modulepreload" ${fileAt('href', name)}>`)
  const html = `<!doctype html>
<html lang="en"${theme === null ? '' : ` data-theme="${theme}"`}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="${theme ?? 'light dark'}">
    <title>Posthorn</title>
    <link rel="icon" ${icon === null ? 'href="data:,"' : fileAt('href', icon)}>
    <link rel="stylesheet" ${fileAt('href', style)}>${preloads.join('')}
    <script type="module" ${fileAt('src', entry)}></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>The dashboard needs JavaScript. Everything it does can be done by the API, which /docs describes.</noscript>
  </body>
</html>
`
  return { html, etag: `"${hash('sha256', html).slice(0, 16)}"` }
}

/**
 * Returns the header `Link` that fetches the scripts of one page beside the first ones. Without it, each is known only
 * when what imports it has run.
 */
export function preloadsOf(names: string[]): string {
  return names.map((name) => `</app/assets/${name}>; rel=modulepreload; referrerpolicy=no-referrer`).join(', ')
}

/** Files are fetched without a referrer: the address of a mailed link holds its token until the script has moved it. */
function fileAt(attribute: 'href' | 'src', name: string): string {
  return `${attribute}="/app/assets/${name}" referrerpolicy="no-referrer"`
}

/**
 * Returns the page that is shown in place of a dashboard that could not be built. `report` is null where strangers read
 * it.
 */
export function failedPage(report: string | null): HtmlPage {
  const said = report === null ? '<p>The log says why.</p>' : `<pre>${escapeHtml(report)}</pre>`
  return page(
    'The dashboard could not be built',
    `<h1>The dashboard could not be built</h1>
      <p>The API and everything else work.</p>
      ${said}`,
  )
}
