import type { Target } from '../../catalogue/waits/target.ts';
import type { Range, Subject, View } from './view.ts';

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
