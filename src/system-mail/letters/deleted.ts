import type { App } from '../../context.ts'
import type { Order } from '../jobs.ts'
import { timeOf } from '../letter.ts'
import { hostOf, type Post } from './post.ts'

/** Writes to the address of an account that it was deleted. */
export async function writeDeletedMail(
  app: App,
  { email, at }: Extract<Order, { about: 'account-deleted' }>,
): Promise<Post[]> {
  const letter = {
    subject: 'Your account was deleted',
    paragraphs: [
      `The account ${email} at ${hostOf(app)} was deleted by a person who was signed in to it and gave its password or a code.`,
      `Time: ${timeOf(new Date(at))}.`,
      'If this was you, there is nothing to do. If it was not, write to the operator at once.',
    ],
  }
  return [{ to: email, letter }]
}
