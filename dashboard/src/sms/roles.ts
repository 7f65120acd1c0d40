import type { Role } from '../session/me.ts'

/** The roles that send by phone and change senders, as in the server's table of roles. */
export const senderRoles: Role[] = ['owner', 'admin', 'developer']

/** The roles that change opt-outs and WhatsApp templates. */
export const marketerRoles: Role[] = ['owner', 'admin', 'marketer']
