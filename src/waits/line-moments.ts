import type { WaitPredictor } from './wait-predictor.ts';

/** What is known of somebody in a line. Times are seconds; null where it has not happened, or nobody knows. */
export interface LineVisit {
  readonly person: string;
  readonly joinedAt: number | null;
  readonly leftAt: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly till: string | null;
  /** When nobody knew any more where the person was. */
  readonly lostAt?: number | null;
}

export type MomentKind = 'ended' | 'lost' | 'started' | 'left' | 'joined';

/** Something that happens in a line. */
export interface LineMoment {
  readonly at: number;
  /** At one moment, ends come before beginnings, and who was there before is served before somebody joins. */
  readonly rank: number;
  readonly kind: MomentKind;
}

export function momentsOf({ joinedAt, leftAt, startedAt, endedAt, lostAt = null }: LineVisit): LineMoment[] {
  const moments: LineMoment[] = [];
  const add = (kind: MomentKind, at: number, rank: number): void => {
    moments.push({ at, rank, kind });
  };
  if (joinedAt !== null) add('joined', joinedAt, 2);
  // Who is in service has left the line, whatever is said of when.
  if (leftAt !== null && (startedAt === null || leftAt < startedAt))
    add('left', leftAt, leftAt === joinedAt ? 3 : 1);
  if (startedAt !== null) add('started', startedAt, startedAt === joinedAt ? 3 : 1);
  if (endedAt !== null) add('ended', endedAt, endedAt === startedAt ? 4 : 0);
  if (lostAt !== null) add('lost', lostAt, 5);
  return moments;
}

type When = Pick<LineMoment, 'at' | 'rank'>;
export const inOrder = (a: When, b: When): number => a.at - b.at || a.rank - b.rank;

/** Tells the predictor of anything but a join. */
export function tell(predictor: WaitPredictor, { at, kind }: LineMoment, { person, till }: LineVisit): void {
  if (kind === 'ended') predictor.ended(person, at);
  else if (kind === 'started') predictor.started(person, at, till);
  else if (kind === 'left') predictor.leftLine(person, at);
  else if (kind === 'lost') predictor.lost(person, at);
}
