import type { EmailProviderModule } from '../provider.ts'
import { capture } from './capture.ts'
import { direct } from './direct.ts'
import { ses } from './ses.ts'
import { smtp } from './smtp.ts'

/** The choices of `EMAIL_PROVIDER`. */
export const emailProviders: EmailProviderModule[] = [capture, smtp, ses, direct]
