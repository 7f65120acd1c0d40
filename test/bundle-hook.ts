import { registerHooks } from 'node:module'

/** Loads the bundle that this module's `bundle` names where the launcher loads the product. */
const product = new URL('../src/cli/run.ts', import.meta.url).href
const bundle = new URL(import.meta.url).searchParams.get('bundle')!

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url === product ? { url: bundle, format: 'module', shortCircuit: true } : found
  },
})
