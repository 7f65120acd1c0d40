import { serveReader } from './contacts/reader/serve.ts'

/**
 * The script of the worker, and of the frame that starts it. The page's policy forbids `new Worker` with an address,
 * for it could be anyone's. So a frame of ours, whose policy has no Trusted Types, starts this file once more as a
 * worker and passes it the port that it gets. The page and the worker then talk to each other directly.
 */
if (typeof document === 'undefined') {
  addEventListener('message', ({ ports: [port] }) => port && serveReader(port))
} else {
  const worker = new Worker(import.meta.url, { type: 'module' })
  addEventListener('message', ({ origin, ports: [port] }) => {
    if (origin === location.origin && port) worker.postMessage(null, [port])
  })
}
