import type { Costume } from './draw/costume.ts';
import type { Body } from './walker.ts';

/** What a customer pushes, or puts down while standing. */
export type Carried = 'trolley' | 'basket';

export type ScriptedOutcome = 'completed' | 'abandoned' | 'passedBy';

/** One person in the shop. */
export interface Person extends Readonly<Body> {
  /** From 1, in order of arrival. */
  readonly id: number;
  readonly costume: Costume;
  readonly standing: boolean;
  /** null until it is decided. */
  readonly outcome: ScriptedOutcome | null;
  /** Has a position in the line. */
  readonly inLine: boolean;
  readonly isStaff: boolean;
  /** So much lower than somebody who stands, in metres. */
  readonly seatedMetres: number;
  readonly carries: Carried | null;
  /** Id of the leader of the group, also for the leader; null for a person who came alone. */
  readonly group: number | null;
}
