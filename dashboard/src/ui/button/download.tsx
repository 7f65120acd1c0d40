import { Icon } from '../icon.tsx'

/** A link that downloads a file of our server, and looks like a button. The session's cookie goes with it. */
export function DownloadLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} download className="button button-plain">
      <Icon name="download" />
      {children}
    </a>
  )
}
