import { useLocation } from '@tanstack/react-router'
import { Go } from '../../ui/go/go.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { areRelated, type Place, placeOf, usePlaceGroups } from './places.ts'

export function Navigation() {
  const { pathname } = useLocation()
  const groups = usePlaceGroups()
  const isNarrow = useMedia('(min-width: 768px) and (max-width: 1099px)')
  const current = placeOf(pathname)
  return (
    <nav id="navigation" aria-label="Main" className="navigation">
      {groups.map(({ name, places }) => (
        <ul key={name} aria-label={name}>
          {places.map((place) => (
            <li key={place.path} className={place.isPart && !areRelated(place, current) ? 'place-far' : undefined}>
              <Go
                to={place.path}
                className={`place ${place.isPart ? 'place-part' : ''}`}
                aria-current={place === current ? (place.path === pathname ? 'page' : 'true') : undefined}
                title={isNarrow ? place.name : undefined}
              >
                <Glyph of={place} />
                <span className="place-name">{place.name}</span>
              </Go>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

function Glyph({ of: { glyph } }: { of: Place }) {
  return (
    <svg className="icon place-glyph" viewBox="0 0 16 16" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={glyph} />
    </svg>
  )
}
