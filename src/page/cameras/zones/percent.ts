/** Reads what somebody types as percent, with a point or a comma. @returns a share, or null for anything but 0 to 100 */
export function readPercent(text: string): number | null {
  const plain = text.replace('%', '').trim().replace(',', '.');
  if (!/^\d{1,3}(\.\d*)?$/.test(plain)) return null;
  const percent = Number(plain);
  return percent <= 100 ? percent / 100 : null;
}

/** With at most two digits behind the point, as exact as the editor keeps a point. */
export const writePercent = (share: number): string => String(Math.round(share * 1e4) / 100);
