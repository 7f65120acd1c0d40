/** The job that hands one message over; its key is the message's id. */
export const deliverKind = 'whatsapp.deliver'
