/**
 * The target of a place where nobody has set one: what the wizard offers, and what advice aims at. Nobody minds three minutes, and one
 * of ten may be unlucky. Seconds, and a share of 0-1.
 */
export const USUAL_TARGET = { waitSeconds: 180, share: 0.9 } as const;
