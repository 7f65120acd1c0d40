import { hrefOf } from '../../api/request.ts'
import { capital } from '../../ui/text/words.ts'

/** Links that sign in through another provider. */
export function Ways({ providers, next }: { providers: string[]; next: string }) {
  if (providers.length === 0) return null
  return (
    <div className="door-ways">
      {providers.map((provider) => (
        <a
          key={provider}
          className="button button-plain"
          href={hrefOf('/auth/oauth/:provider', { provider, next: `/app${next}` })}
        >
          Continue with {capital(provider)}
        </a>
      ))}
    </div>
  )
}
