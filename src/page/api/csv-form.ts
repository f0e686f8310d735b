/** How a call asks for a CSV that the spreadsheet of the person reads: a decimal comma goes with semicolons. */
export function csvForm(locale: string) {
  const hasComma = new Intl.NumberFormat(locale).format(0.5).includes(',');
  return {
    separator: hasComma ? 'semicolon' : 'comma',
    decimal: hasComma ? 'comma' : 'point',
    bom: true,
  } as const;
}
