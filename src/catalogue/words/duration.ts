const [MINUTE, DAY] = [60, 86_400];

const both = (whole: number, unit: string, rest: number, smaller: string): string =>
  rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${smaller}`;

/**
 * A time span in two units at most, the same in every language: `45 s`, `4 min 31 s`, `12 min`, `2 h 5 min`, `3 d`. Nobody reads
 * the seconds of ten minutes, nor the hours of two days.
 */
export function durationInWords(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < 10 * MINUTE) return both(Math.floor(whole / MINUTE), 'min', whole % MINUTE, 's');
  const minutes = Math.round(whole / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  if (whole < 2 * DAY) return both(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  return `${Math.round(whole / DAY)} d`;
}
