/** Texts of every chart. */
export const chart = {
  label: (label: string) => `${label}. The arrow keys move from point to point.`,
  labelWithPick: (label: string) =>
    `${label}. The arrow keys move from point to point, Enter shows the visits of a point.`,
  between: (low: string, high: string) => `${low} to ${high}`,
  noPoint: 'no point chosen',
  poor: 'The camera saw less than 80% of this time',
  dotted: 'Where the true value probably lies',
  poorShort: 'poor coverage',
  asTable: 'Show as a table',
  time: 'Time',
};
