import { type KeyboardEvent, memo } from 'react'
import { Status } from '../../status/status.tsx'
import { countOf } from '../../ui/text/words.ts'
import type { Graph } from '../graph/graph.ts'
import { nameOfStep } from '../graph/names.ts'
import { outlineOf } from '../graph/outline.ts'
import type { StepTypes } from '../workflow.ts'

type Props = {
  graph: Graph
  types: StepTypes
  selected: string | undefined
  onSelect: (id: string) => void
  /** The number of faults of each step. */
  faults?: ReadonlyMap<string, number>
  /** The state of each step in an execution. */
  states?: ReadonlyMap<string, string>
}

const depthMax = 6

/** The outline of a graph: a button for each step, in the order in which they run. Up and Down move between them. */
export const Steps = memo(function Steps({ graph, types, selected, onSelect, faults, states }: Props) {
  return (
    <ol aria-label="Steps" className="steps" onKeyDown={moveInSteps}>
      {outlineOf(graph).map(({ step, depth, via }, index, lines) => {
        const faultCount = faults?.get(step.id) ?? 0
        const state = states?.get(step.id)
        const next = lines[index + 1]
        const isLinked = next?.depth === depth && next.from.includes(step.id)
        const title = types.get(step.type)?.title ?? step.type
        const name = nameOfStep(step, types)
        return (
          <li key={step.id} className={`step step-depth-${Math.min(depth, depthMax)} ${isLinked ? 'step-linked' : ''}`}>
            <button
              type="button"
              className={`step-button ${faultCount > 0 ? 'step-faulty' : ''}`}
              aria-pressed={step.id === selected}
              onClick={() => onSelect(step.id)}
            >
              <StepMark isTrigger={types.get(step.type)?.kind === 'trigger'} isFaulty={faultCount > 0} />
              <span className="step-words">
                <span className="step-name">{name}</span>
                <span className="small muted">
                  {[name !== title && title, ...via.map((branch) => `if ${branch}`)].filter(Boolean).join(' · ')}
                </span>
                {faultCount > 0 && <span className="small step-faults">{countOf(faultCount, 'fault')}</span>}
              </span>
              {state && (
                <span className="small">
                  <Status of={state} />
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ol>
  )
})

/** A trigger is a square, an action a circle, a faulty step a cross. */
function StepMark({ isTrigger, isFaulty }: { isTrigger: boolean; isFaulty: boolean }) {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" className="step-mark">
      {isFaulty ? (
        <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" />
      ) : isTrigger ? (
        <rect x="2" y="2" width="8" height="8" className="filled" />
      ) : (
        <circle cx="6" cy="6" r="4" className="filled" />
      )}
    </svg>
  )
}

function moveInSteps(event: KeyboardEvent<HTMLOListElement>) {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.step-button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  const goals: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }
  const goal = goals[event.key]
  if (goal === undefined || at < 0) return
  event.preventDefault()
  buttons[Math.max(0, Math.min(goal, buttons.length - 1))]?.focus()
}

const stepButtons = () => [...document.querySelectorAll<HTMLElement>('.step-button')]
const isChosen = (button: HTMLElement) => button.getAttribute('aria-pressed') === 'true'

export function focusChosenStep(): void {
  stepButtons().find(isChosen)?.focus()
}

/** Moves the focus to a neighbour of the chosen step, which is about to be removed; without one, to *Add step*. */
export function focusBesideChosenStep(): void {
  const buttons = stepButtons()
  const at = buttons.findIndex(isChosen)
  const beside = buttons[at - 1] ?? buttons[at + 1]
  ;(beside ?? document.querySelector<HTMLElement>('.editor-head button'))?.focus()
}
