/** The job that hands one email over; its key is the email's id. */
export const deliverKind = 'emails.deliver'

/** Marks jobs that wait for a limit of their team: they run as soon as it is raised. */
export const waitingForLimit = 'waitingForLimit'
