import type { Resource } from '../../client/client.ts';
import type { Range, Subject, View } from './view.ts';

/** How long people may wait, and which share of them. */
export type Target = NonNullable<Resource<'Site'>['target']>;

/** What every part of the screen needs to know. */
export interface Shown {
  readonly subject: Subject;
  readonly view: View;
  readonly range: Range;
  /** Of the camera or site. */
  readonly timezone: string;
  readonly bucket: string;
  readonly target: Target | null;
  /** Shows another view of the same subject, at its own address. */
  readonly show: (change: Partial<View>) => void;
}
