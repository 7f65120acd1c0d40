import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { Loading } from '../../ui/states.tsx'
import { useMedia } from '../../ui/use-media.ts'
import type Canvas from './canvas.tsx'

type Props = ComponentProps<typeof Canvas>

let loaded: ComponentType<Props> | undefined
const wide = '(min-width: 768px)'

/** `React.lazy` is not used: after a fallback was shown, React waits up to 300 ms before it shows anything else. */
async function load(): Promise<ComponentType<Props>> {
  loaded = (await import('./canvas.tsx')).default
  return loaded
}

/** Fetches the code of the canvas before its page is opened. */
export function prefetchCanvas(): void {
  if (matchMedia(wide).matches) void load()
}

/** The canvas where there is room for it. Its code is loaded when it is first shown. */
export function LazyCanvas(props: Props) {
  const isWide = useMedia(wide)
  if (!isWide || props.graph.nodes.length === 0) return null
  return (
    <div className="editor-canvas">
      <LoadedCanvas {...props} />
    </div>
  )
}

function LoadedCanvas(props: Props) {
  const [Loaded, setLoaded] = useState(() => loaded)
  useEffect(() => {
    if (Loaded) return
    load().then(
      (component) => setLoaded(() => component),
      (error) =>
        setLoaded(() => {
          throw error
        }),
    )
  }, [Loaded])
  return Loaded ? <Loaded {...props} /> : <Loading lines={4} />
}
