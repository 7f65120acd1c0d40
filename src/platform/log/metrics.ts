import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import type { Tx } from '../../context.ts'

/**
 * The metrics of this process. Labels must not refer to teams or their resources, because their number must stay small.
 */
export const registry = new Registry()
collectDefaultMetrics({ register: registry, prefix: 'posthorn_' })
// The name of a gauge does not end in `_total`. The gauges of the single kinds remain, and their sum is the same
// number.
for (const kind of ['handles', 'requests', 'resources'])
  registry.removeSingleMetric(`posthorn_nodejs_active_${kind}_total`)

/** Makes a counter that is counted when a unit of work commits. */
export function committedCounter<Label extends string>(options: { name: string; help: string; labelNames: Label[] }) {
  const counter = new Counter({ ...options, registers: [registry] })
  return (tx: Tx, counted: Record<Label, string>[]) =>
    tx.afterCommit(() => {
      for (const labels of counted) counter.inc(labels)
    })
}
