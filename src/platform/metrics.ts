import { collectDefaultMetrics, Registry } from 'prom-client'

/** What `/metrics` shows. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry, prefix: 'posthorn_' })
