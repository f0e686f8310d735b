import type { chart as en } from '../en/chart.ts';

export const chart: typeof en = {
  label: (label) => `${label}. Die Pfeiltasten führen von Punkt zu Punkt.`,
  labelWithPick: (label) =>
    `${label}. Die Pfeiltasten führen von Punkt zu Punkt, die Eingabetaste zeigt die Besuche eines Punktes.`,
  between: (low: string, high: string) => `${low} bis ${high}`,
  noPoint: 'kein Punkt gewählt',
  poor: 'Die Kamera sah weniger als 80 % dieser Zeit',
  dotted: 'Wo der wahre Wert wahrscheinlich liegt',
  poorShort: 'lückenhaft',
  asTable: 'Als Tabelle zeigen',
  time: 'Zeit',
};
