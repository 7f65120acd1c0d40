import { Refusal } from '../api/refusal.ts'
import { post } from '../api/request.ts'
import { type Me, openSession } from './me.ts'

export type Login = { email: string; password: string; code?: string | undefined; teamId?: string | undefined }

/** Signs in. Returns `code` where the account has two-factor on and none was given. */
export async function signIn({ email, password, code, teamId }: Login): Promise<Me | 'code'> {
  try {
    const body = { email, password, ...(code && { code: code.trim() }) }
    return await openSession(await post('/auth/login', { body }, { isAnonymous: true }), teamId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'two_factor_required') return 'code'
    throw error
  }
}
