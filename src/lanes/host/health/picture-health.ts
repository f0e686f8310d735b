import type { DeviceCondition, Fault, Warning } from '../../../cameras/devices/condition.ts';
import { hasContent } from '../../../video/health/has-content.ts';
import { StillWatch } from '../../../video/health/still-watch.ts';
import { ViewWatch } from '../../../video/health/view-watch.ts';
import type { Frame } from '../../../vision/frame.ts';

/** Pictures become a fault after this time: one lost packet is none. */
const FAULT_AFTER_MS = 3_000;

type LookedAt = Pick<Frame, 'model' | 'letterbox' | 'isDamaged'> & Partial<Pick<Frame, 'full'>>;
type PictureFault = Extract<Fault['reason'], 'damaged_video' | 'blank_picture'>;
const FAULTS: Readonly<Record<PictureFault, string>> = {
  damaged_video:
    'The video arrives damaged, so nothing is counted: check the camera, its network and the load of both.',
  blank_picture:
    'The picture is of one colour, so nothing is counted: check whether the lens is covered or the light is off.',
};
const UNCHANGING =
  'The picture has not changed by a single bit for minutes: check whether the camera hangs, unless nothing moves there.';
const CHANGED =
  'The camera shows another view than when its analysis was started, so its zones may be wrong: turn it back, or draw the zones again and restart the analysis.';

/** Whether the pictures of a camera can be analysed, and its fault and warnings. Times are frame times. */
export class PictureHealth {
  readonly #still = new StillWatch();
  readonly #view = new ViewWatch();
  #bad: { readonly reason: PictureFault; readonly sinceMs: number } | null = null;
  #lastMs = 0;

  /** @returns whether the frame can be analysed */
  take(frame: LookedAt, timeMs: number): boolean {
    this.#lastMs = timeMs;
    const reason = faultOf(frame);
    this.#still.take(frame, timeMs);
    if (!reason) {
      this.#bad = null;
      this.#view.take(frame, timeMs);
    } else if (this.#bad?.reason !== reason) this.#bad = { reason, sinceMs: this.#bad?.sinceMs ?? timeMs };
    return reason === null;
  }

  condition(): DeviceCondition {
    return { fault: this.#fault, warnings: this.#warnings };
  }

  get #fault(): Fault | null {
    if (!this.#bad || this.#lastMs - this.#bad.sinceMs < FAULT_AFTER_MS) return null;
    return { ...this.#bad, message: FAULTS[this.#bad.reason] };
  }

  get #warnings(): Warning[] {
    const warnings: [Warning['reason'], string, number | null][] = [
      ['unchanging_picture', UNCHANGING, this.#still.sinceMs],
      ['view_changed', CHANGED, this.#view.sinceMs],
    ];
    return warnings.flatMap(([reason, message, sinceMs]) =>
      sinceMs === null ? [] : [{ reason, message, sinceMs }],
    );
  }
}

/** Whether one frame by itself can be analysed. */
export const isUsable = (frame: LookedAt): boolean => faultOf(frame) === null;

function faultOf(frame: LookedAt): PictureFault | null {
  if (frame.isDamaged) return 'damaged_video';
  return hasContent(frame) ? null : 'blank_picture';
}
