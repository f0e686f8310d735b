/** What somebody chose in the fields of a range. */
export interface RangeForm {
  /** Values of `datetime-local` fields, in the zone of the browser; empty when nothing is chosen. */
  readonly from: string;
  readonly to: string;
  /** Null: all cameras and recordings. */
  readonly deviceIds: readonly string[] | null;
}

export type RangeFault = 'missing' | 'order' | 'future' | 'noDevice';

export interface Range {
  readonly from: string;
  readonly to: string;
  readonly deviceIds?: string[];
}

/** The body of the call, or which field is wrong and why. */
export type CheckedRange =
  | { readonly range: Range }
  | { readonly field: 'from' | 'to' | 'devices'; readonly fault: RangeFault };

/** Checks a range before it is sent, so that a fault shows at its field at once. */
export function checkRange({ from, to, deviceIds }: RangeForm, now: Date): CheckedRange {
  const [start, end] = [new Date(from), new Date(to)];
  if (Number.isNaN(start.getTime())) return { field: 'from', fault: 'missing' };
  if (Number.isNaN(end.getTime())) return { field: 'to', fault: 'missing' };
  if (end <= start) return { field: 'to', fault: 'order' };
  if (end > now) return { field: 'to', fault: 'future' };
  if (deviceIds?.length === 0) return { field: 'devices', fault: 'noDevice' };
  return {
    range: {
      from: start.toISOString(),
      to: end.toISOString(),
      ...(deviceIds && { deviceIds: [...deviceIds] }),
    },
  };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** A moment as the value of a `datetime-local` field, in the zone of the browser. */
export function fieldValue(moment: Date): string {
  const day = [moment.getFullYear(), twoDigits(moment.getMonth() + 1), twoDigits(moment.getDate())].join('-');
  return `${day}T${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
}

/** Midnight `days` days before today, in the zone of the browser. */
export function daysAgo(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

/** The whole days before today: `lastDays(now, 1)` is yesterday. */
export const lastDays = (now: Date, days: number): Pick<RangeForm, 'from' | 'to'> => ({
  from: fieldValue(daysAgo(now, days)),
  to: fieldValue(daysAgo(now, 0)),
});
