import { fileURLToPath } from 'node:url'

/** The packages of package.json beside it. They are installed outside the checkout's sources, which tests walk. */
export const clientModules = fileURLToPath(new URL('../../node_modules/.cache/clients/node_modules', import.meta.url))
