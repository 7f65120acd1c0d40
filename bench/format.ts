import type { Load } from './closed-loop.ts'

export function perSecond(value: number): string {
  return `${value >= 10_000 ? `${(value / 1000).toFixed(1)}k` : value.toFixed(0)}/s`
}

export function latency({ p50Ms, p99Ms }: Pick<Load, 'p50Ms' | 'p99Ms'>): string {
  return `${milliseconds(p50Ms)} / ${milliseconds(p99Ms)}`
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
