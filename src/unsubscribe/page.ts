import { page } from '../platform/http/page.ts'

/**
 * Asks for confirmation. The form posts to the page's own URL, which has the token and any path that a proxy put in
 * front.
 */
export const questionPage = page(
  'Unsubscribe',
  `<h1>Do you want to unsubscribe?</h1>
      <p>If you confirm, you will get no more emails from the sender of the one that brought you here.</p>
      <form method="post"><button>Unsubscribe</button></form>`,
)

/** The same for every token, so that it does not show which tokens are valid. */
export const confirmationPage = page(
  'Unsubscribed',
  `<h1>You are unsubscribed</h1>
      <p>You will get no more emails from this sender. You can close this page.</p>
      <p>Should another one come, this link was cut off on its way: follow the one in the newer email.</p>`,
)
