import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Viewer } from './dashboard-viewer.ts'
import { fillContacts, fillSegments } from './fill-contacts.ts'
import { liftLimits } from './start-posthorn.ts'
import { callApi, type Parts } from './with-posthorn.ts'
import type { Options, Result } from './workload.ts'

/** The page refetches at most every 0.8 s, which is 4,500 times an hour. */
const roundsOfHour = 4500
const roundsQuick = 120
/** Rounds before the first look, until caches and compiled code are there. */
const roundsBefore = 30
const growthMaxMb = 20
const nodesMax = 1000
/** So that the broadcast runs for longer than an hour. */
const contacts = 20_000
const perSecond = 5
/** How fast the timers of the pages run. `--hour` lets a real hour pass. */
const speed = process.argv.includes('--hour') ? 1 : 20

type Size = { mb: number; nodes: number; listeners: number }

/**
 * Two tabs while a broadcast runs for an hour: its page, and the list of emails. What they hold after it, beyond
 * before.
 */
export async function memoryResults({ quick, say }: Options, parts: Parts, viewer: Viewer): Promise<Result[]> {
  const id = await startLongBroadcast(parts)
  const tabs = [await openFast(viewer, `/app/broadcasts/${id}`), await openFast(viewer, '/app/emails')]
  say(`a broadcast to ${contacts} contacts runs, and time runs ${speed} times as fast`)
  const hint = { broadcasts: [id], emails: [] }
  await refetch(tabs, hint, roundsBefore)
  const before = await Promise.all(tabs.map(sizeOf))
  const rounds = quick && speed > 1 ? roundsQuick : roundsOfHour
  const fetches = await refetch(tabs, hint, rounds)
  const after = await Promise.all(tabs.map(sizeOf))
  for (const tab of tabs) await tab.close()
  await callApi(parts, 'POST', `/v1/broadcasts/${id}/cancel`)
  await liftLimits(parts.posthorn)
  say(`memory: ${fetches.join(' and ')} requests; ${before.map(words).join('; ')}; then ${after.map(words).join('; ')}`)
  return ['broadcast', 'emails'].flatMap((name, at) => resultsOf(name, 'ab'[at]!, rounds, before[at]!, after[at]!))
}

function resultsOf(name: string, part: string, rounds: number, before: Size, after: Size): Result[] {
  const grown = after.mb - before.mb
  const nodes = after.nodes - before.nodes + after.listeners - before.listeners
  const of = `page of ${name} while one is sent, ${rounds} refetches`
  const shared = { reference: '', ratio: null }
  return [
    {
      ...{ row: `28${part}`, what: `${of}: heap beyond the first`, ours: `${grown.toFixed(1)} MB`, ...shared },
      ...{ target: `<= ${growthMaxMb} MB`, met: grown <= growthMaxMb, memory: `${after.mb.toFixed(1)} MB` },
    },
    {
      ...{ row: `28${part}`, what: `${of}: nodes and listeners beyond the first`, ours: `${nodes}`, ...shared },
      ...{ target: `<= ${nodesMax}`, met: nodes <= nodesMax },
    },
  ]
}

const words = ({ mb, nodes, listeners }: Size) => `${mb.toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`

async function startLongBroadcast(parts: Parts): Promise<string> {
  const { database, teamId, posthorn } = parts
  await fillContacts(database, teamId, 0, contacts)
  const segment = await callApi<{ id: string }>(parts, 'POST', '/v1/segments', { name: 'An hour' })
  await fillSegments(database, teamId, [segment.id], 0, contacts)
  // A team may send a batch at once, so the limit of a second holds back a broadcast only with small batches.
  await posthorn.command('team', 'set-limits', teamId, `emailsPerSecond=${perSecond}`, 'batchSize=100')
  const content = { from: 'shop@sandbox.test', subject: 'News', text: 'Hello' }
  const draft = { name: 'An hour', segmentId: segment.id, ...content }
  const { id } = await callApi<{ id: string }>(parts, 'POST', '/v1/broadcasts', draft)
  await callApi(parts, 'POST', `/v1/broadcasts/${id}/send`)
  return id
}

/** Opens a page whose timers run faster, and which knows how many of its requests are under way and done. */
async function openFast(viewer: Viewer, path: string): Promise<Page> {
  const page = await viewer.open('/app/settings/account')
  await page.addInitScript(`{
    const [now, later, every, load] = [performance.now.bind(performance), setTimeout, setInterval, fetch]
    performance.now = () => now() * ${speed}
    window.setTimeout = (run, ms = 0, ...rest) => later(run, ms / ${speed}, ...rest)
    window.setInterval = (run, ms = 0, ...rest) => every(run, ms / ${speed}, ...rest)
    window.bench.underWay = 0
    window.bench.done = 0
    window.fetch = (...request) => {
      bench.underWay++
      return load(...request).finally(() => { bench.underWay--; bench.done++ })
    }
  }`)
  await page.goto(new URL(path, page.url()).href)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  return page
}

/**
 * Sends a hint to the tabs `rounds` times, each when they have fetched again after the one before. Returns their
 * requests.
 */
async function refetch(tabs: Page[], hint: object, rounds: number): Promise<number[]> {
  const run = `(async () => {
    const channel = new BroadcastChannel('posthorn-live')
    const wait = (ms) => new Promise((done) => setTimeout(done, ms))
    const before = bench.done
    for (let round = 0; round < ${rounds}; round++) {
      channel.postMessage(${JSON.stringify({ hint })}.hint)
      await wait(800)
      while (bench.underWay > 0) await wait(20)
    }
    channel.close()
    return bench.done - before
  })()`
  return Promise.all(tabs.map((tab) => tab.evaluate(run) as Promise<number>))
}

async function sizeOf(page: Page): Promise<Size> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  // Observers and finalizers need a second turn.
  for (let turn = 0; turn < 3; turn++) {
    await session.send('HeapProfiler.collectGarbage')
    await sleep(100)
  }
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  const size = { mb: metric('JSHeapUsedSize') / 1e6, nodes: metric('Nodes'), listeners: metric('JSEventListeners') }
  await session.detach()
  return size
}
