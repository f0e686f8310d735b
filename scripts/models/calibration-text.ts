import { QUALITY_HEADING, qualityCells, reliabilityRows } from '../evaluate/detector/score-quality.ts';
import { table } from '../support/terminal.ts';
import {
  type ClassCalibration,
  LEAST_BOXES,
  type Quality,
  type ScoreCalibration,
} from './calibrate-scores.ts';

/** What a calibration found, for people. @param file the card that was written, if one was */
export function calibrationText({ pictures, classes }: ScoreCalibration, file: string | null): string {
  const parts = classes.map(classText);
  return [`${pictures} pictures`, ...parts, file ? `${file} written.` : 'No card written.'].join('\n\n');
}

function classText({ name, right, wrong, curve, raw, heldOut }: ClassCalibration): string {
  const found = `${name}: ${right} right and ${wrong} wrong boxes`;
  if (!heldOut) {
    return `${found}; a fit wants ${LEAST_BOXES} of both. The scores of this class stay raw.`;
  }
  const row = (of: string, quality: Quality) => [
    of,
    quality.ap50.toFixed(3),
    quality.ap.toFixed(3),
    ...qualityCells(quality),
  ];
  const figures = table([
    [found, 'AP50', 'AP', ...QUALITY_HEADING],
    row('raw scores', raw),
    ...heldOut.splits.map((quality, i) => row(`held-out halves, split ${i + 1}`, quality)),
    row('both splits', heldOut.pooled),
  ]);
  const result = curve
    ? JSON.stringify(curve)
    : `Held out, the curve makes the scores of ${name} no truer than they are: they stay raw.`;
  const reliability = table(reliabilityRows(`${name}, held out`, heldOut.pooled));
  return [figures, reliability, result].join('\n\n');
}
