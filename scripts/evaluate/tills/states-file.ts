import { TILL_STATES, type TillState } from '../../../src/vision/tills/till-state.ts';
import { refuse } from '../visits/label-file.ts';
import { readOptional, rowsOf } from './counts-file.ts';

const COLUMNS = ['second', 'tillId', 'state'] as const;

/** What a till does from a second of the film on, until its next row; null where nobody knows. */
export interface LabelledState {
  readonly second: number;
  readonly tillId: string;
  readonly state: TillState | null;
}

/**
 * Reads the states of tills that somebody labelled in a film: `second,tillId,state`. A state lasts until the next row of its till; an
 * empty one says that it is not known from there on.
 * @returns null where there is no file
 * @throws Error with file, line and remedy of every fault
 */
export async function readStates(path: string, tillIds: readonly string[]): Promise<LabelledState[] | null> {
  const text = await readOptional(path, 'states');
  return text === null ? null : parseStates(text, path, tillIds);
}

/** @throws Error as `readStates` */
export function parseStates(text: string, path: string, tillIds: readonly string[]): LabelledState[] {
  const faults: string[] = [];
  const states = rowsOf(text, path, { kind: 'states', columns: COLUMNS }).map(({ line, cell }) => {
    const second = cell('second') === '' ? Number.NaN : Number(cell('second'));
    const state = TILL_STATES.find((each) => each === cell('state')) ?? null;
    if (!(second >= 0 && Number.isInteger(second)))
      faults.push(`line ${line}: second (${cell('second')}) must be a whole number from 0`);
    if (!tillIds.includes(cell('tillId')))
      faults.push(
        `line ${line}: tillId (${cell('tillId')}) must be a till of the scene: ${tillIds.join(', ')}`,
      );
    if (state === null && cell('state') !== '')
      faults.push(
        `line ${line}: state (${cell('state')}) must be one of ${TILL_STATES.join(', ')}, or empty`,
      );
    return { second, tillId: cell('tillId'), state };
  });
  refuse(path, faults, 'states');
  return states;
}

/** For each second of the film the state of each till, as far as somebody labelled it. */
export function statesBySecond(
  labelled: readonly LabelledState[],
  tillIds: readonly string[],
  seconds: number,
): (TillState | null)[][] {
  const ordered = labelled.toSorted((a, b) => a.second - b.second);
  return Array.from({ length: Math.floor(seconds) }, (_, second) =>
    tillIds.map((id) => ordered.findLast((row) => row.tillId === id && row.second <= second)?.state ?? null),
  );
}
