import { hash } from 'node:crypto'

/** Black on white and white on black, but softer; the button's blue has 6:1 or more in both. */
const style = `
:root { color-scheme: light dark; --text: #1c1e21; --ground: #fff; --button: #1f5fbf; --label: #fff }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --ground: #17191c; --button: #8ab4f8; --label: #17191c } }
* { box-sizing: border-box }
body { margin: 0; font: 1.0625rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
main { max-width: 32rem; margin: 0 auto; padding: min(20vh, 10rem) 1.5rem 3rem }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; overflow-wrap: break-word }
p { margin: 0 0 1.5rem }
button {
  min-height: 3rem; padding: .625rem 1.5rem; border: 2px solid transparent; border-radius: .5rem;
  font: inherit; font-weight: 600; color: var(--label); background: var(--button); cursor: pointer
}
button:hover { text-decoration: underline }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
`

/** Its own: nothing but this style, and a form that comes back here. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Asks. The form goes to the address it came from, token and all, whatever path a proxy put in front. */
export const questionPage = page(
  'Unsubscribe',
  `<h1>Do you want to unsubscribe?</h1>
      <p>If you confirm, you will get no more emails from the sender of the one that brought you here.</p>
      <form method="post"><button>Unsubscribe</button></form>`,
)

/** Tells the same of every token, so that nobody learns whose is good. */
export const confirmationPage = page(
  'Unsubscribed',
  `<h1>You are unsubscribed</h1>
      <p>You will get no more emails from this sender. You can close this page.</p>
      <p>Should another one come, this link was cut off on its way: follow the one in the newer email.</p>`,
)

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      ${content}
    </main>
  </body>
</html>
`
}
