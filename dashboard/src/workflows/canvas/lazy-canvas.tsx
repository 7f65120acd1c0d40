import { type ComponentProps, lazy, Suspense } from 'react'
import { Loading } from '../../ui/states.tsx'
import { useMedia } from '../../ui/use-media.ts'

const load = () => import('./canvas.tsx')
const Canvas = lazy(load)
const wide = '(min-width: 768px)'

/** Fetches the code of the canvas before its page is opened. */
export function prefetchCanvas(): void {
  if (matchMedia(wide).matches) void load()
}

/** The canvas where there is room for it. Its code is loaded when it is first shown. */
export function LazyCanvas(props: ComponentProps<typeof Canvas>) {
  const isWide = useMedia(wide)
  if (!isWide || props.graph.nodes.length === 0) return null
  return (
    <div className="editor-canvas">
      <Suspense fallback={<Loading lines={4} />}>
        <Canvas {...props} />
      </Suspense>
    </div>
  )
}
