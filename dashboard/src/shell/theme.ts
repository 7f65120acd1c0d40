export type Theme = 'light' | 'dark' | 'system'

/** The server reads this cookie and puts the theme into the page, so that the first paint has its colours. */
const cookie = 'posthorn_theme'
/** Browsers keep a cookie for 400 days at most. */
const keptSeconds = 400 * 86_400
/** Where earlier versions kept the choice. */
const storedBefore = 'posthorn-theme'

export function readTheme(): Theme {
  const chosen = new RegExp(`(?:^|; )${cookie}=(light|dark|system)(?:;|$)`).exec(document.cookie)?.[1]
  return toTheme(chosen ?? localStorage.getItem(storedBefore))
}

/** Shows the chosen theme, and keeps it as long again. */
export function startTheme(): void {
  const theme = readTheme()
  if (theme !== 'system') chooseTheme(theme)
}

export function chooseTheme(theme: Theme): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // `Lax`, since a link in a mail leads to the dashboard too. It holds no secret.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${cookie}=${theme}; Path=/app; Max-Age=${keptSeconds}; SameSite=Lax${secure}`
  localStorage.removeItem(storedBefore)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  document
    .querySelector('meta[name="color-scheme"]')
    ?.setAttribute('content', theme === 'system' ? 'light dark' : theme)
}

function toTheme(value: string | null): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}
