import type { ComponentProps } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useMedia } from '../../ui/use-media.ts'

const { Part: Canvas, prefetch } = lazyPart(() => import('./canvas.tsx'))
const wide = '(min-width: 768px)'

/** Fetches the code of the canvas before its page is opened. */
export function prefetchCanvas(): void {
  if (matchMedia(wide).matches) void prefetch()
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
