import { useLocation } from '@tanstack/react-router'
import { Go } from '../ui/go.tsx'
import { placeGroups, placeOf } from './places.ts'

export function Navigation() {
  const { pathname } = useLocation()
  const current = placeOf(pathname)
  return (
    <nav id="navigation" aria-label="Main" className="navigation">
      {placeGroups.map(({ name, places }) => (
        <ul key={name} aria-label={name}>
          {places.map((place) => (
            <li key={place.path}>
              <Go
                to={place.path}
                className={`place ${place.isPart ? 'place-part' : ''}`}
                aria-current={place === current ? (place.path === pathname ? 'page' : 'true') : undefined}
              >
                {place.name}
              </Go>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}
