import { table } from '../../support/terminal.ts';
import type { VisitFigures } from './score-zone.ts';

const HEADING = [
  '',
  'true',
  'ours',
  'F1',
  'precision',
  'recall',
  'length error',
  'bias',
  'MAE',
  'dwell true',
  'dwell ours',
];

/** A row of figures for each name, with a heading. */
export function figuresTable(named: readonly (readonly [name: string, figures: VisitFigures])[]): string {
  const number = (value: number | null, digits: number) => (value === null ? '-' : value.toFixed(digits));
  const rows = named.map(([name, figures]): string[] => [
    ...[name, String(figures.truthVisits), String(figures.ourVisits)],
    ...[number(figures.f1, 3), number(figures.precision, 3), number(figures.recall, 3)],
    ...[`${number(figures.occupancyErrorPercent, 1)} %`, `${number(figures.biasPercent, 1)} %`],
    number(figures.meanAbsoluteError, 2),
    ...[`${number(figures.meanDwellTrueSeconds, 1)} s`, `${number(figures.meanDwellOursSeconds, 1)} s`],
  ]);
  return table([HEADING, ...rows]);
}
