import fc from 'fast-check';
import { CASES } from './thorough.ts';

const { PROPERTY_CASES, PROPERTY_SEED } = process.env;

/** `npm test` tries the same cases in every run, so that a red test is about the change; the release tier draws others. */
const seed = PROPERTY_SEED ?? (PROPERTY_CASES === undefined ? '1' : undefined);
fc.configureGlobal({ numRuns: CASES, ...(seed !== undefined && { seed: Number(seed) }) });

export { dearCases } from './thorough.ts';
/** Fast-check with the number of cases and the seed of the run: tests take it from here. */
export { fc };

const codePoint = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);
/** What the unit `binary` of fast-check is, without its table of a million characters, which takes a second to make. */
export const anyCharacter = codePoint.map((point) => String.fromCodePoint(point));
