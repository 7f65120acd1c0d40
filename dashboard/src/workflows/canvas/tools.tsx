import { useReactFlow } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button/button.tsx'

/** The bounds of the zoom when all of the graph is shown. */
export const fit = { padding: 0.12, maxZoom: 1, minZoom: 0.3 }

/** The heading of the canvas with its buttons. */
export function CanvasTools({ onTidy }: { onTidy?: () => Promise<void> }) {
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  const [tidied, setTidied] = useState(0)
  useEffect(() => {
    if (tidied > 0) void fitView(fit)
  }, [tidied, fitView])
  return (
    <div className="editor-head">
      <h2>Canvas</h2>
      <div className="actions">
        <Button kind="quiet" icon="minus" label="Zoom out" onClick={() => void zoomOut()} />
        <Button kind="quiet" icon="plus" label="Zoom in" onClick={() => void zoomIn()} />
        <Button kind="quiet" onClick={() => void fitView(fit)}>
          Show all
        </Button>
        {onTidy && <Button onClick={() => void onTidy().then(() => setTidied((count) => count + 1))}>Tidy up</Button>}
      </div>
    </div>
  )
}
