import type { ComponentProps } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useMedia } from '../../ui/use-media.ts'
import type { Graph } from '../graph/graph.ts'
import { prefetchLayout } from './layout.ts'

const { Part: Canvas, prefetch } = lazyPart(() => import('./canvas.tsx'))
const wide = '(min-width: 768px)'

/** Fetches the code of the canvas beside its graph, and then what the graph needs of the layout. */
export function prefetchCanvas(graph: Promise<Graph>): void {
  const layout = matchMedia(wide).matches ? Promise.all([prefetch(), graph.then(prefetchLayout)]) : graph
  // The page fetches again, and tells a failure.
  layout.catch(() => undefined)
}

/** The canvas where there is room for it. */
export function LazyCanvas(props: ComponentProps<typeof Canvas>) {
  const isWide = useMedia(wide)
  if (!isWide || props.graph.nodes.length === 0) return null
  return (
    <div className="editor-canvas">
      <Canvas {...props} />
    </div>
  )
}
