import type { BrowserContext } from 'playwright-core'

/**
 * Collects what no page may do: write to the console, throw, or ask another origin for something. `allowed` are
 * patterns of messages that the current test causes on purpose.
 */
export function collectFaults(context: BrowserContext, origin: string, allowed: readonly RegExp[]): string[] {
  const faults: string[] = []
  context.on('console', (message) => {
    const text = message.text()
    if (allowed.some((pattern) => pattern.test(text))) return
    const { url, lineNumber } = message.location()
    faults.push(`console.${message.type()}: ${text} (${url}:${lineNumber})`)
  })
  context.on('weberror', (error) => void faults.push(`error: ${error.error().stack ?? error.error().message}`))
  context.on('request', (request) => {
    const url = new URL(request.url())
    const isHere = url.origin === origin || ['data:', 'blob:', 'about:'].includes(url.protocol)
    if (isHere) return
    const fault = `request to another origin: ${url.href.slice(0, 200)}`
    if (!allowed.some((pattern) => pattern.test(fault))) faults.push(fault)
  })
  return faults
}
