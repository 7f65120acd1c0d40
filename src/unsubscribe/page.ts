import { page } from '../platform/http/page.ts'

/** Asks. The form goes to the address it came from, token and all, whatever path a proxy put in front. */
export const questionPage = page(
  'Unsubscribe',
  `<h1>Do you want to unsubscribe?</h1>
      <p>If you confirm, you will get no more emails from the sender of the one that brought you here.</p>
      <form method="post"><button>Unsubscribe</button></form>`,
)

/** Says the same for every token, so that it does not tell which are good. */
export const confirmationPage = page(
  'Unsubscribed',
  `<h1>You are unsubscribed</h1>
      <p>You will get no more emails from this sender. You can close this page.</p>
      <p>Should another one come, this link was cut off on its way: follow the one in the newer email.</p>`,
)
