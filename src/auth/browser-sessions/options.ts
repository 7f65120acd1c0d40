import type { App } from '../../context.ts'

/** Says how people may sign in here. */
export async function getSignInOptions({ config }: Pick<App, 'config'>) {
  return {
    signup: config.signup !== 'closed',
    providers: Object.keys(config.oauthProviders),
    mail: config.systemFrom !== null,
  }
}
