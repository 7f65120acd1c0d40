/** The job that hands one email over; its key is the email's id. */
export const deliverKind = 'emails.deliver'
