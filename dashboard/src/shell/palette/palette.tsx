import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { keys } from '../../api/keys.ts'
import { isFor, pages } from '../../pages.ts'
import type { PagePath } from '../../paths.ts'
import { useMe } from '../../session/me.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useTold } from '../../ui/dialog/use-told.ts'
import { moveInOptions } from '../../ui/form/move-in-options.ts'
import { useWaitingEnter } from '../../ui/form/use-waiting-enter.ts'
import { useMode } from '../../ui/go/address.ts'
import { useGo } from '../../ui/go/use-go.ts'
import { allPlaces, usePlaces } from '../navigation/places.ts'
import type { Overlay } from '../shell-shortcuts.ts'
import { findThings } from './found.ts'

const verbs = pages.filter(
  ({ path, isOpen }) => !isOpen && /\/(new|import)$/.test(path) && !allPlaces.some((place) => place.path === path),
)

type Entry = {
  key: string
  name: string
  kind: string
  /** It is from an answer of the server, which may be to an earlier text. */
  isFound?: true
  run: () => void
}

export default function Palette({ onClose, onShow }: { onClose: () => void; onShow: (overlay: Overlay) => void }) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  const { entries, isAnswered } = useEntries(text, onShow)
  const at = Math.min(active, entries.length - 1)
  const nothing = entries.length === 0 ? `Nothing matches “${text}”.` : null
  useTold(nothing, text)
  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const entry = entries[at]
  const enter = useWaitingEnter(isAnswered || (entry !== undefined && !entry.isFound), () => choose(entry))
  return (
    <Dialog title="Command palette" className="palette" isWide onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label="Go to or search"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        placeholder="A page, an action, an address, a subject, an id"
        autoComplete="off"
        autoFocus
        value={text}
        onChange={(event) => {
          enter.forget()
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={(event) => {
          enter.forget()
          if (event.key !== 'Enter') return setActive(moveInOptions(event, at, entries.length))
          // Or the key would also press the button that gets the focus back.
          event.preventDefault()
          enter.press()
        }}
      />
      <Results {...{ id, entries, at }} onChoose={choose} />
      {nothing && <p className="muted">{nothing}</p>}
    </Dialog>
  )
}

type ResultsProps = { id: string; entries: Entry[]; at: number; onChoose: (entry: Entry) => void }

function Results({ id, entries, at, onChoose }: ResultsProps) {
  return (
    <div id={id} role="listbox" aria-label="Results" className="palette-list">
      {entries.map((entry, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field
        <div
          key={entry.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={`palette-option ${index === at ? 'option-active' : ''}`}
          ref={index === at ? scrollTo : undefined}
          onClick={() => onChoose(entry)}
        >
          <span className="palette-name">{entry.name}</span>
          <span className="small muted">{entry.kind}</span>
        </div>
      ))}
    </div>
  )
}

/** The pages, actions and things that match. */
function useEntries(text: string, onShow: (overlay: Overlay) => void): { entries: Entry[]; isAnswered: boolean } {
  const go = useGo()
  const { found, isAnswered } = useFound(text.trim())
  const to =
    (path: PagePath, search: Record<string, string | undefined> = {}) =>
    () =>
      void go(path, { search })
  const entries = [
    ...[
      ...usePlaces().map(({ path, name }) => ({ key: path, name, kind: 'Page', run: to(path) })),
      ...useActions().map(({ path, title }) => ({ key: path, name: title, kind: 'Action', run: to(path) })),
      { key: '?', name: 'Keyboard shortcuts', kind: 'Action', run: () => onShow('shortcuts') },
    ].filter(({ name }) => isMatch(name, text)),
    ...found.map(({ path, search, mode, name, kind }) => ({
      ...{ key: `${path} ${search ?? ''}`, name, kind, isFound: true as const },
      run: to(path, { search, mode }),
    })),
  ]
  return { entries, isAnswered }
}

function scrollTo(option: HTMLElement | null): void {
  void option?.scrollIntoView({ block: 'nearest' })
}

/** Pages that are a verb, such as *Compose*, and for the signed-in person. */
function useActions() {
  const { role } = useMe()
  return verbs.filter((page) => isFor(role, page))
}

function isMatch(name: string, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  return words.every((word) => name.toLowerCase().includes(word))
}

function useFound(text: string) {
  const wanted = useDeferredValue(text)
  const mode = useMode()
  const isAsked = wanted.length >= 3
  const {
    data = [],
    isPending,
    isPlaceholderData,
  } = useQuery({
    queryKey: keys.part('palette', 'found', { wanted, mode }),
    queryFn: ({ signal }) => findThings(wanted, mode, signal),
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  const isAnswered = wanted === text && !(isAsked && (isPending || isPlaceholderData))
  return { found: isAsked ? data : [], isAnswered }
}
