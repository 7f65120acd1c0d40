import { bounded } from './bounded.ts'
import { noted, type Viewer } from './dashboard-viewer.ts'
import { makeWorkflow, textStep } from './make-workflow.ts'
import { median } from './statistics.ts'
import type { Parts } from './with-posthorn.ts'
import type { Options, Result } from './workload.ts'

const nodesMax = 200
const usableMaxMs = 600
const frameMaxMs = 1000 / 30

/** A workflow of 200 nodes in the editor: from its address to its last node on the canvas, and dragging the canvas. */
export async function graphResults({ rounds, say }: Options, parts: Parts, viewer: Viewer): Promise<Result[]> {
  const steps = Array.from({ length: nodesMax - 1 }, (_, index) => textStep(`step-${index}`))
  const { id } = await makeWorkflow(parts, steps)
  const times: number[] = []
  let frameMs = 0
  for (let round = 0; round < rounds; round++) {
    const page = await viewer.open(`/app/workflows/${id}`)
    times.push(await noted(page, 'stepMs'))
    const box = await page.locator('.react-flow').boundingBox()
    if (box) {
      const [x, y] = [box.x + box.width - 60, box.y + 60]
      await page.mouse.move(x, y)
      await page.mouse.down()
      const frames = viewer.frameMs(page, 90, '')
      for (let step = 1; step <= 90; step++) await page.mouse.move(x - step * 3, y + step)
      await page.mouse.up()
      frameMs = await frames
    }
    await page.close()
  }
  say(`graph: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  return [
    bounded(
      '26a',
      `graph of ${nodesMax} nodes, from its address to its nodes on the canvas`,
      median(times),
      usableMaxMs,
    ),
    bounded('26b', 'median frame while the canvas is dragged', frameMs, Math.floor(frameMaxMs)),
  ]
}
