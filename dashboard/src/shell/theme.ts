export type Theme = 'light' | 'dark' | 'system'

const storedAs = 'posthorn-theme'

export function readTheme(): Theme {
  const stored = localStorage.getItem(storedAs)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storedAs, theme)
  applyTheme(theme)
}
