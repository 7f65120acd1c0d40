import { Mark } from '../session/door/door.tsx'
import { useMe } from '../session/me.ts'
import { Button } from '../ui/button/button.tsx'
import { Go } from '../ui/go/go.tsx'
import { Icon } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import type { Overlay } from './shell-shortcuts.ts'

type Props = { isMenuOpen: boolean; onMenu: () => void; onShow: (overlay: Overlay) => void }

export function Banner({ isMenuOpen, onMenu, onShow }: Props) {
  const { team } = useMe()
  return (
    <header className="banner">
      <Button
        kind="quiet"
        className="menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        <Icon name={isMenuOpen ? 'close' : 'menu'} />
        Menu
      </Button>
      <Go to="/" className="brand">
        <Mark />
        <span className="wordmark">Posthorn</span>
      </Go>
      <button type="button" className="palette-button" onClick={() => onShow('palette')}>
        <Icon name="search" />
        <span className="palette-words">Command palette</span>
        <span className="palette-key mono" aria-hidden="true">
          {/Mac|iPhone/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}
        </span>
      </button>
      <span className="account-team">{team.name}</span>
      <AccountMenu onShow={onShow} />
    </header>
  )
}
