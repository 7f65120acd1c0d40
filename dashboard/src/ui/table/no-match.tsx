import { Button } from '../button/button.tsx'
import { Empty } from '../frame/states.tsx'
import { useAddress } from '../go/address.ts'

/** Parameters of the address that filter nothing. */
const kept = ['tab', 'message', 'mode']

/** A list whose filters leave nothing, and the way back to the whole list. */
export function NoMatch({ title }: { title: string }) {
  const [address, change] = useAddress()
  const filters = Object.keys(address).filter((name) => !kept.includes(name))
  return (
    <Empty title={title}>
      <Button onClick={() => change(Object.fromEntries(filters.map((name) => [name, undefined])))}>
        Clear filters
      </Button>
    </Empty>
  )
}
