/** Every state of a till, in the order of legends. */
export const TILL_STATES = ['serving', 'free', 'closed', 'unknown'] as const;
export type TillState = (typeof TILL_STATES)[number];
