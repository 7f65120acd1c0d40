import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Loads modules from the bundle that this module's `bundle` names, where it has them. It is JavaScript, since Node would
 * load its compiler first for TypeScript.
 */
const bundle = new URL(import.meta.url).searchParams.get('bundle')
const root = new URL('../', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    if (!found.url.startsWith(root)) return found
    const url = `${bundle}/${found.url.slice(root.length)}.mjs`
    return existsSync(fileURLToPath(url)) ? { url, format: 'module', shortCircuit: true } : found
  },
})
