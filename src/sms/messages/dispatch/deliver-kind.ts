/** The job of handing one message over; its key is the message's id. */
export const deliverKind = 'sms.deliver'
