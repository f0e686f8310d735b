import { shown } from '../../support/numbers.ts';
import { table } from '../../support/terminal.ts';
import type { VisitFigures } from './score-zone.ts';

/** A row of figures for each name, below a heading. */
export function figuresTable(named: readonly (readonly [name: string, figures: VisitFigures])[]): string {
  const heading = [
    '',
    'true',
    'ours',
    'F1',
    'precision',
    'recall',
    'length error',
    'bias',
    'MAE',
    'within one',
  ];
  const rows = named.map(([name, figures]): string[] => [
    ...[name, String(figures.truthVisits), String(figures.ourVisits)],
    ...[shown(figures.f1, 3), shown(figures.precision, 3), shown(figures.recall, 3)],
    ...[shown(figures.occupancyErrorPercent, 1, '%'), shown(figures.biasPercent, 1, '%')],
    shown(figures.meanAbsoluteError, 2),
    shown(figures.withinOnePercent, 1, '%'),
    ...[shown(figures.stayErrorMedianSeconds, 1, 's'), shown(figures.stayErrorP90Seconds, 1, 's')],
    ...[shown(figures.meanDwellTrueSeconds, 1, 's'), shown(figures.meanDwellOursSeconds, 1, 's')],
  ]);
  return table([[...heading, 'stay error, half', '90 %', 'dwell true', 'dwell ours'], ...rows]);
}
