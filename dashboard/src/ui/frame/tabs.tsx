import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useAddress } from '../go/address.ts'

type Tab = {
  id: string
  name: string
  /** Shown beside the name, if there is any. */
  count?: number
  panel: () => ReactNode
}

type Props = {
  name: string
  tabs: Tab[]
  parameter?: string
  /** The tab that is shown without a choice. The first, if left out. */
  usual?: string
  /** Parameters of the address that belong to one tab, and go when another is chosen. */
  drops?: string[]
}

/** Tabs whose choice is kept in the address, so that Back, a reload and a copied link show the same one. */
export function Tabs({ name, tabs, parameter = 'tab', usual = tabs[0]!.id, drops = [] }: Props) {
  const [address, change] = useAddress()
  const current = tabs.find(({ id }) => id === address[parameter]) ?? tabs.find(({ id }) => id === usual) ?? tabs[0]!
  const base = useId()
  const choose = (tab: Tab) =>
    change({
      ...Object.fromEntries(drops.map((name) => [name, undefined])),
      [parameter]: tab.id === usual ? undefined : tab.id,
    })
  return (
    <div className="tabs">
      <TabList name={name} base={base} tabs={tabs} current={current} onChoose={choose} />
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${current.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel of text is reached and scrolled by keyboard
        tabIndex={0}
        className="tab-panel"
      >
        {current.panel()}
      </div>
    </div>
  )
}

type ListProps = { name: string; base: string; tabs: Tab[]; current: Tab; onChoose: (tab: Tab) => void }

function TabList({ name, base, tabs, current, onChoose }: ListProps) {
  function move(event: KeyboardEvent<HTMLDivElement>) {
    const at = tabs.indexOf(current)
    const goals: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }
    const goal = goals[event.key]
    if (goal === undefined) return
    event.preventDefault()
    const next = tabs.at(goal % tabs.length)!
    onChoose(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div role="tablist" aria-label={name} className="tab-list" onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${base}-${tab.id}`}
          data-tab={tab.id}
          aria-selected={tab === current}
          aria-controls={`${base}-panel`}
          tabIndex={tab === current ? 0 : -1}
          className="tab"
          onClick={() => onChoose(tab)}
        >
          {tab.name}
          {tab.count ? (
            <span className="tab-count" aria-hidden="true">
              {tab.count}
            </span>
          ) : null}
        </button>
      ))}
    </div>
  )
}
