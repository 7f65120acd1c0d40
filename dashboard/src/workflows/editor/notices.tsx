import { Button } from '../../ui/button/button.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import { countOf } from '../../ui/text/words.ts'
import { wordsOfFault } from '../faults.ts'
import { stepOf } from '../graph/graph.ts'
import { nameOfStep } from '../graph/names.ts'
import type { StepTypes } from '../workflow.ts'
import type { EditorState } from './use-editor.ts'

type Props = { editor: EditorState; types: StepTypes; onSelect: (id: string) => void }

/** Shown on top of the editor: a failure, changes by somebody else, and the faults that keep it from running. */
export function Notices({ editor, types, onSelect }: Props) {
  const { graph, faults, isRefused, theirs, error } = editor
  return (
    <>
      <Fault error={error} />
      {theirs && (
        <div role="alert" className="fault">
          <p className="empty-title">Somebody else changed this workflow</p>
          <p>
            Your changes are still here and not saved. Load theirs, which Undo takes back, or save yours in their place.
          </p>
          <div className="actions">
            <Button onClick={editor.loadTheirs}>Load theirs</Button>
            <Button onClick={() => void editor.save(true)}>Save mine</Button>
          </div>
        </div>
      )}
      {faults.length > 0 && (
        <div role="alert" className="fault">
          <p>
            {countOf(faults.length, 'fault')} to mend before the workflow can be {isRefused ? 'saved' : 'activated'}.
          </p>
          <ul className="fault-list">
            {faults.map((fault) => {
              const step = stepOf(graph, fault.stepId ?? undefined)
              const type = types.get(step?.type ?? '')
              const words = wordsOfFault(fault, type?.configSchema)
              return (
                <li key={`${fault.stepId} ${words}`}>
                  {step ? (
                    <button type="button" className="link" onClick={() => onSelect(step.id)}>
                      {nameOfStep(step, types)}
                    </button>
                  ) : (
                    'The workflow'
                  )}
                  {`: ${words}`}
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </>
  )
}
