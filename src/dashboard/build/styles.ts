/**
 * The cascade layers, later ones win: the folders of `dashboard/src` that all pages share, and `pages` for the rest.
 */
const layers = ['tokens', 'ui', 'shell', 'session', 'pages'] as const

/** A style sheet of the sources; `path` is relative to `dashboard/src`, with slashes. */
type StyleSheet = { path: string; text: string }

/** Joins all style sheets into one, each group in its cascade layer. */
export function joinStyles(sheets: StyleSheet[]): string {
  const groups = layers.map((layer) => {
    const texts = sheets.filter(({ path }) => layerOf(path) === layer).map(({ text }) => text.trim())
    return texts.length === 0 ? '' : `@layer ${layer} {\n${texts.join('\n')}\n}\n`
  })
  return `@layer ${layers.join(', ')};\n${groups.join('')}`
}

function layerOf(path: string): (typeof layers)[number] {
  if (path === 'ui/tokens.css') return 'tokens'
  if (/^(status|content)\//.test(path)) return 'ui'
  return layers.find((layer) => layer !== 'tokens' && path.startsWith(`${layer}/`)) ?? 'pages'
}
