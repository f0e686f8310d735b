/** What a shop promises: how long people wait, for this share of them at least. */
export interface Target {
  readonly waitSeconds: number;
  /** 0-1 */
  readonly share: number;
}

/**
 * The target of a place where nobody has set one: what the wizard offers, and what advice aims at. Nobody minds three minutes, and one
 * of ten may be unlucky.
 */
export const USUAL_TARGET: Target = { waitSeconds: 180, share: 0.9 };
