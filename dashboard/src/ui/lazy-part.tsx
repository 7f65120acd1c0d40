import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Loading } from './frame/states.tsx'

/**
 * A part of a page whose code is loaded when it is first shown, or before by `prefetch`. `React.lazy` is not used:
 * after a fallback was shown, React waits up to 300 ms before it shows anything else. `meanwhile` is shown until then.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  meanwhile: ReactNode = <Loading lines={4} />,
) {
  let loaded: ComponentType<Props> | undefined
  async function prefetch() {
    loaded = (await load()).default
    return loaded
  }
  function Part(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    useEffect(() => {
      if (Loaded) return
      prefetch().then(
        (component) => setLoaded(() => component),
        // Thrown while the part is drawn, so that the page says that it failed.
        (error) =>
          setLoaded(() => {
            throw error
          }),
      )
    }, [Loaded])
    return Loaded ? <Loaded {...props} /> : meanwhile
  }
  return { Part, prefetch }
}
