import type { Role } from '../../context.ts'

/*
 * The sets of roles that routes name, for signed-in users. API keys have their permission instead (`access` of the
 * route). Rights that depend on more than the route, such as which role an admin may give, are checked where the
 * request is handled.
 */

/** All roles, from most rights to fewest. */
export const everybody: readonly Role[] = ['owner', 'admin', 'developer', 'marketer', 'viewer']
/** Billing, and the end of the team. */
export const owners: readonly Role[] = ['owner']
/** Members, privacy, and the audit log. */
export const admins: readonly Role[] = ['owner', 'admin']
/** Sending, and what programs need: keys, domains, webhooks, credentials, senders, logs. */
export const developers: readonly Role[] = ['owner', 'admin', 'developer']
/** The audience, templates, broadcasts, suppressions. */
export const marketers: readonly Role[] = ['owner', 'admin', 'marketer']
/** Workflows. Marketers may not edit those with `code` or `http_request` nodes (`workflows/`). */
export const writers: readonly Role[] = ['owner', 'admin', 'developer', 'marketer']
