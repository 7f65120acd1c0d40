/** Recipients of one call: https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
export const recipientsMax = 50
