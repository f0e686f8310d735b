import {
  QUALITY_HEADING,
  type Quality,
  qualityCells,
  reliabilityRows,
} from '../evaluate/detector/score-quality.ts';
import { table } from '../support/terminal.ts';
import { type ClassCalibration, LEAST_BOXES, type ScoreCalibration } from './calibrate-scores.ts';

/** The result of a calibration as text. @param file the card that was written; null where none was */
export function calibrationText({ pictures, classes }: ScoreCalibration, file: string | null): string {
  const written = file ? `${file} written.` : 'No card written.';
  return [`${pictures} images`, ...classes.map(classText), written].join('\n\n');
}

function classText({ name, right, wrong, curve, raw, heldOut }: ClassCalibration): string {
  const found = `${name}: ${right} right and ${wrong} wrong boxes`;
  if (!heldOut) {
    return `${found}; a fit needs at least ${LEAST_BOXES} of both. The scores of this class stay raw.`;
  }
  const row = (of: string, quality: Quality) => [of, ...qualityCells(quality)];
  const figures = table([
    [found, ...QUALITY_HEADING],
    row('raw scores', raw),
    ...heldOut.splits.map((quality, i) => row(`held-out halves, split ${i + 1}`, quality)),
    row('both splits', heldOut.pooled),
  ]);
  const result = curve
    ? JSON.stringify(curve)
    : `On held-out images the curve does not improve the scores of ${name}: they stay raw.`;
  const reliability = table(reliabilityRows(`${name}, held out`, heldOut.pooled));
  return [figures, reliability, result].join('\n\n');
}
